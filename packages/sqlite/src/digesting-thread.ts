/** The program of a thread that digests events: see `SqliteSeals.startThread`. */
import { workerData } from 'node:worker_threads';
import { serveDigests } from '@svc/core/storage';
import type { SqliteOptions } from './options.js';
import { sqlite } from './sqlite-storage.js';

serveDigests(sqlite(workerData as SqliteOptions));

/** The program of a thread that digests events: see `PostgresSeals.startThread`. */
import { workerData } from 'node:worker_threads';
import { serveDigests } from '@svc/core/storage';
import type { PostgresOptions } from './options.js';
import { postgres } from './postgres-storage.js';

const options = workerData as PostgresOptions;

// If an open append holds events back, the thread that started this one reports it: it reads the log again after an error.
const onStall = (): never => {
  throw new Error('An open append holds events back.');
};

serveDigests(postgres({ ...options, onStall }));

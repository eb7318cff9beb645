/** Runs clients, suites and hosts against svc, and writes docs/reference/interoperability.md. */
import { join } from 'node:path';
import { longFolder } from '../tools/interop/rows.mjs';
import { become, ensureInstalled, requireNode, root, tsc } from './lib/steps.mjs';

requireNode();
ensureInstalled();
ensureInstalled(join(root, longFolder));
tsc('build', ['examples/orders']);
become(process.execPath, ['tools/interop/main.mjs']);

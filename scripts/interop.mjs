/** Runs clients, suites and hosts against svc, and writes docs/reference/interoperability.md. */
import { join } from 'node:path';
import { longFolder } from '../tools/interop/rows.mjs';
import { become, build, ensureInstalled, requireNode, root } from './lib/steps.mjs';

requireNode();
ensureInstalled();
ensureInstalled(join(root, longFolder));
build('build', ['examples/orders']);
become(process.execPath, ['tools/interop/main.mjs']);

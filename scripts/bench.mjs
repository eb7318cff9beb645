/** Runs a benchmark: npm run bench -- <name> [--quick] [--json]. Peers are installed in bench/ alone. */
import { join } from 'node:path';
import { become, ensureInstalled, requireNode, root, tsc } from './lib/steps.mjs';

requireNode();
ensureInstalled();
ensureInstalled(join(root, 'bench'));
tsc('build', []);
become(process.execPath, ['bench/run.mjs', ...process.argv.slice(2)]);

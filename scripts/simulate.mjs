/** Simulates a cluster of hosts under many seeds: npm run simulate -- --seeds 10000. */
import { become, ensureInstalled, requireNode } from './lib/steps.mjs';

requireNode();
ensureInstalled();
become(process.execPath, ['tools/simulation/main.mjs', ...process.argv.slice(2)]);

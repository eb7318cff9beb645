/** Sends mutated requests to examples/orders: npm run fuzz -- --requests 1000000. */
import { become, ensureInstalled, requireNode, tsc } from './lib/steps.mjs';

requireNode();
ensureInstalled();
tsc('build', ['examples/orders']);
become(process.execPath, ['tools/fuzz/main.mjs', ...process.argv.slice(2)]);

/** Sends mutated requests to examples/orders: npm run fuzz -- --requests 1000000. */
import { become, build, ensureInstalled, requireNode } from './lib/steps.mjs';

requireNode();
ensureInstalled();
build('build', ['examples/orders']);
become(process.execPath, ['tools/fuzz/main.mjs', ...process.argv.slice(2)]);

/** Runs examples/orders from a fresh clone: installs missing packages, generates, builds, starts. */
import { become, buildPages, ensureInstalled, generate, requireNode, tsc } from './lib/steps.mjs';

requireNode();
ensureInstalled();
tsc('build the tools', ['packages/cli', 'packages/core']);
generate('generate');
buildPages();
tsc('build the service', ['examples/orders']);
console.log();
become(process.execPath, ['--enable-source-maps', 'examples/orders/dist/main.js']);

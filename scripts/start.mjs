/** Runs examples/orders from a fresh clone: installs missing packages, generates, builds, starts. */
import { become, build, buildPages, ensureInstalled, generate, requireNode } from './lib/steps.mjs';

requireNode();
ensureInstalled();
build('build the tools', ['packages/cli', 'packages/core']);
generate('generate');
buildPages();
build('build the service', ['examples/orders/src/page/browser']);
console.log();
become(process.execPath, ['--enable-source-maps', 'examples/orders/dist/main.js']);

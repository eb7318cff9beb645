/** Generates and builds everything. */
import { buildPages, ensureInstalled, generate, requireNode, tsc } from './lib/steps.mjs';

requireNode();
ensureInstalled();
tsc('build the tools', ['packages/cli', 'packages/core']);
generate('generate');
buildPages();
tsc('build', []);

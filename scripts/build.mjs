/** Generates and builds everything. */
import { removeStaleOutputs } from '../tools/build/stale-outputs.mjs';
import { buildPages, ensureInstalled, generate, requireNode, root, tsc } from './lib/steps.mjs';

requireNode();
ensureInstalled();
tsc('build the tools', ['packages/cli', 'packages/core']);
generate('generate');
buildPages();
removeStaleOutputs(root);
tsc('build', []);

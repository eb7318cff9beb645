/** Generates and builds everything. */
import { removeStaleOutputs } from '../tools/build/stale-outputs.mjs';
import { build, buildPages, ensureInstalled, generate, requireNode, root } from './lib/steps.mjs';

requireNode();
ensureInstalled();
build('build the tools', ['packages/cli', 'packages/core']);
generate('generate');
buildPages();
removeStaleOutputs(root);
build('build');

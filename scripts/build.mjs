/** Generates and builds everything. */
import { ensureInstalled, generate, requireNode, tsc } from './lib/steps.mjs';

requireNode();
ensureInstalled();
tsc('build the tools', ['packages/cli', 'packages/core']);
generate('generate');
tsc('build', []);

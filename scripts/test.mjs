/** All checks of the repository, ordered so that failures are easy to understand. */
import { removeStaleOutputs } from '../tools/build/stale-outputs.mjs';
import { build, buildPages, ensureInstalled, generate, requireNode, root, tool } from './lib/steps.mjs';

requireNode();
ensureInstalled();
tool('format', 'node_modules/oxfmt/bin/oxfmt', ['--check']);
build('build the tools', ['packages/cli', 'packages/core']);
generate('generated code is up to date:', '--check');
buildPages();
removeStaleOutputs(root);
build('types');
tool('lint', 'node_modules/oxlint/bin/oxlint', ['--type-aware', '--deny-warnings']);
tool('tests', 'node_modules/vitest/vitest.mjs', ['run', ...process.argv.slice(2)]);

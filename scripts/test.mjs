/** Every check of the repository, in the order in which a failure is easiest to understand. */
import { ensureInstalled, generate, requireNode, tool, toolBeside, tsc } from './lib/steps.mjs';

requireNode();
ensureInstalled();
const format = toolBeside('format', 'node_modules/prettier/bin/prettier.cjs', ['--check', '--log-level=warn', '.']);
tsc('build the tools', ['packages/cli', 'packages/core']);
generate('generated code is up to date:', '--check');
tsc('types', []);
tool('lint', 'node_modules/oxlint/bin/oxlint', ['--type-aware', '--deny-warnings']);
await format();
tool('tests', 'node_modules/vitest/vitest.mjs', ['run', ...process.argv.slice(2)]);

/** All checks of the repository, ordered so that failures are easy to understand. */
import { ensureInstalled, generate, requireNode, tool, backgroundTool, tsc } from './lib/steps.mjs';

requireNode();
ensureInstalled();
const format = backgroundTool('format', 'node_modules/prettier/bin/prettier.cjs', ['--check', '--log-level=warn', '.']);
tsc('build the tools', ['packages/cli', 'packages/core']);
generate('generated code is up to date:', '--check');
tsc('types', []);
tool('lint', 'node_modules/oxlint/bin/oxlint', ['--type-aware', '--deny-warnings']);
await format();
tool('tests', 'node_modules/vitest/vitest.mjs', ['run', ...process.argv.slice(2)]);

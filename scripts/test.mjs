/**
 * All checks of the repository, ordered so that failures are easy to understand. `npm test` leaves out the tests in `lib/long-tests.mjs`;
 * `npm run test:all` runs them too, and so does `npm test -- <path>` if the path selects them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { removeStaleOutputs } from '../tools/build/stale-outputs.mjs';
import { longTests } from './lib/long-tests.mjs';
import {
  build,
  buildPages,
  ensureInstalled,
  ensureLongTestsInstalled,
  generate,
  requireNode,
  root,
  tool,
  tsc,
} from './lib/steps.mjs';

const args = process.argv.slice(2);

requireNode();
requireFiles(longTests);
// `npm test` simulates fewer seeds.
if (args.includes('--all')) process.env['SVC_TEST_SEEDS'] ??= '200';
ensureInstalled();
if (args.length > 0) ensureLongTestsInstalled();
tool('format', 'node_modules/oxfmt/bin/oxfmt', ['--check']);
build('build the tools', ['packages/cli', 'packages/core']);
generate('generated code is up to date:', '--check');
buildPages();
removeStaleOutputs(root);
tsc('types');
tool('lint', 'node_modules/oxlint/bin/oxlint', ['--type-aware', '--deny-warnings']);
tool('tests', 'node_modules/vitest/vitest.mjs', ['run', ...selection()]);

function selection() {
  if (args.length === 0) return longTests.flatMap((file) => ['--exclude', file]);
  return args.filter((argument) => argument !== '--all');
}

/** A renamed file would otherwise run in both. */
function requireFiles(files) {
  const missing = files.filter((file) => !existsSync(join(root, file)));
  if (missing.length === 0) return;
  console.error(`scripts/lib/long-tests.mjs lists files that do not exist: ${missing.join(', ')}.`);
  process.exit(1);
}

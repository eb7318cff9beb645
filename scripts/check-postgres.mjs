/** Runs the contract of the storage on every supported version of PostgreSQL, as a user that owns only its database. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findBinaries } from '../tools/postgres/binaries.mjs';
import { versions } from '../tools/postgres/packaged.mjs';
import { ensureInstalled, requireNode, root } from './lib/steps.mjs';

requireNode();
ensureInstalled();
const named = process.argv.slice(2);
const unknown = named.filter((version) => !versions.includes(version));
if (unknown.length > 0) {
  console.error(`PostgreSQL ${unknown.join(', ')} is not one of ${versions.join(', ')}.`);
  process.exit(2);
}
const tests = ['tests/postgres/contract.test.ts'];
const results = [];
for (const version of named.length > 0 ? named : versions) {
  console.log(`\n> PostgreSQL ${version}`);
  results.push({ version, result: await check(version) });
}
console.table(results);
process.exitCode = results.every(({ result }) => result === 'passed') ? 0 : 1;

async function check(version) {
  try {
    await findBinaries(version);
  } catch (error) {
    return error.message;
  }
  const env = { ...process.env, SVC_TEST_POSTGRES_VERSION: version, SVC_TEST_DATABASE_URL: '' };
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...tests];
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  return status === 0 ? 'passed' : 'failed';
}

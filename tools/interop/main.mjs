/** Runs the tests of all rows, and writes docs/reference/interoperability.md. The exit code is 1 if a test failed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interoperabilityPage, isGood, pagePath, resultsIn } from './page.mjs';
import { openApiRequests, rows } from './rows.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'svc-interop-'));
try {
  const results = resultsIn(root, runTests(join(folder, 'report.json')));
  const day = new Date().toISOString().slice(0, 10);
  const environment = `${day}, Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  writeFileSync(join(root, pagePath), interoperabilityPage(root, results, environment));
  must('node_modules/oxfmt/bin/oxfmt', [pagePath]);
  const failed = rows.filter((_row, i) => !isGood(results[i])).map(({ client }) => client);
  console.log(`\n${rows.length - failed.length} of ${rows.length} rows passed; ${pagePath} has the results.`);
  if (failed.length > 0) {
    console.error(`Failed: ${failed.join(', ')}.`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runTests(reportPath) {
  const config = ['--config', 'tests/interoperability/vitest.config.ts'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`];
  const env = { ...process.env, SVC_TEST_OPENAPI_REQUESTS: String(openApiRequests) };
  // Its exit code says less than its report, in which every row is found again.
  spawnNode('node_modules/vitest/vitest.mjs', ['run', ...config, ...reporters], env);
  return JSON.parse(readFileSync(reportPath, 'utf8'));
}

function must(script, args) {
  if (spawnNode(script, args, process.env) !== 0) throw new Error(`${script} failed.`);
}

function spawnNode(script, args, env) {
  return spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit', env }).status;
}

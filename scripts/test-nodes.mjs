/** Runs the tests on every supported version of Node: `npm run test:nodes [-- <version>…] [-- <arguments of vitest>…]`. */
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { installedNode, supportedNodes } from '../tools/nodes/installed-node.mjs';
import { ensureInstalled, ensureLongTestsInstalled, requireNode, root, tool } from './lib/steps.mjs';

const args = process.argv.slice(2);
const end = args.includes('--') ? args.indexOf('--') : args.length;
const versions = end === 0 ? supportedNodes : args.slice(0, end);
const unknown = versions.filter((version) => !/^\d+(?:\.\d+){0,2}$/.test(version));
if (unknown.length > 0) {
  console.error(
    `${unknown.join(', ')}: not a version of Node. Put arguments of vitest behind "--": npm run test:nodes -- 24 -- packages/core`,
  );
  process.exit(1);
}

requireNode();
ensureInstalled();
ensureLongTestsInstalled();
tool('build', 'scripts/build.mjs', []);
const results = versions.map(testsOn);
for (const { name, seconds, isPassed } of results) {
  console.log(`${name.padEnd(10)} ${isPassed ? 'passed' : 'FAILED'} ${seconds} s`);
}
process.exitCode = results.every(({ isPassed }) => isPassed) ? 0 : 1;

function testsOn(version) {
  const bin = installedNode(version);
  const program = join(bin, 'node');
  const name = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim();
  console.log(`\n> tests on Node ${name}`);
  const started = performance.now();
  const { status } = spawnSync(program, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args.slice(end + 1)], {
    cwd: root,
    stdio: 'inherit',
    // Programs that tests start by the name of "node" run on the same version.
    env: { ...process.env, PATH: bin + delimiter + process.env.PATH },
  });
  return { name, seconds: Math.round((performance.now() - started) / 1000), isPassed: status === 0 };
}

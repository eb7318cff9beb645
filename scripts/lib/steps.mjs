/** What the repository's commands share: installing what is missing, and running one step after another. Plain Node, no packages. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const leastNode = [20, 19];

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])) return;
  console.error(`Node ${leastNode.join('.')} or later is needed; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Installs packages when the lock file is not the one they were installed from. */
export function ensureInstalled(folder = root) {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = join(folder, 'node_modules', '.installed-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  step('install', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  writeFileSync(stamp, lock);
}

// With --json standard output is for the report alone.
const [say, output] = process.argv.includes('--json') ? [console.error, 2] : [console.log, 'inherit'];

/** Runs one step and says how long it took; a step that fails ends the process with its exit code. */
export function step(name, command, args, options = {}) {
  const started = performance.now();
  say(`\n> ${name}`);
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['inherit', output, 'inherit'], ...options });
  if (error !== undefined) console.error(error.message);
  if (status !== 0) {
    console.error(`\n${name} failed.`);
    process.exit(status ?? 1);
  }
  say(`  ${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/** Runs a tool of the repository's own packages. */
export function tool(name, script, args) {
  step(name, process.execPath, [join(root, script), ...args]);
}

/** Starts such a tool beside the steps that follow; what it returns waits for its end, says what it had to say, and counts as a step. */
export function toolBeside(name, script, args) {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const end = () => child.kill();
  process.once('exit', end);
  return async () => {
    say(`\n> ${name}`);
    const status = await ended;
    process.off('exit', end);
    process.stderr.write(Buffer.concat(chunks));
    if (status === 0) return;
    console.error(`\n${name} failed.`);
    process.exit(status ?? 1);
  };
}

export const tsc = (name, projects) => tool(name, 'node_modules/typescript/bin/tsc', ['-b', ...projects]);

/** Services whose generated code is kept in the repository. */
export const generatedServices = ['packages/core', 'examples/orders', 'bench/http/svc'];

export function generate(name, ...flags) {
  for (const service of generatedServices) {
    tool(`${name} ${service}`, 'packages/cli/bin/svc.js', ['generate', '--project', service, ...flags]);
  }
}

/** Hands the terminal over to a program, passes signals on to it, and ends as it ends. */
export function become(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
  // A signal from the terminal reaches the child by itself; one sent to this process alone has to be passed on.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1);
  });
}

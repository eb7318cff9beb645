/** Shared by the scripts of the repository: installs missing packages and runs steps. Plain Node, no packages. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const minNode = [20, 19];

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > minNode[0] || (major === minNode[0] && minor >= minNode[1])) return;
  console.error(`Node ${minNode.join('.')} or later is required; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Installs packages if the lock file has changed since they were installed. */
export function ensureInstalled(folder = root) {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = join(folder, 'node_modules', '.installed-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  step('install', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  writeFileSync(stamp, lock);
}

/** Installs what only the long tests use: a package registry, and what builds the site. */
export function ensureLongTestsInstalled() {
  for (const folder of ['tools/registry', 'tools/site']) ensureInstalled(join(root, folder));
}

// With --json, standard output contains the report only.
const [print, output] = process.argv.includes('--json') ? [console.error, 2] : [console.log, 'inherit'];

/** Runs one step and reports its duration. If it fails, the process ends with its exit code. */
export function step(name, command, args, options = {}) {
  const started = performance.now();
  print(`\n> ${name}`);
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['inherit', output, 'inherit'], ...options });
  if (error !== undefined) console.error(error.message);
  if (status !== 0) {
    console.error(`\n${name} failed.`);
    process.exit(status ?? 1);
  }
  print(`  ${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/** Runs a tool of the repository. */
export function tool(name, script, args) {
  step(name, process.execPath, [join(root, script), ...args]);
}

/** Bundles the packages, and compiles the types and the projects that are no package. Without projects, all of them. */
export function build(name, projects = []) {
  tool('bundle the packages', 'tools/build/main.mjs', []);
  tsc(name, projects);
}

/** The same for packages that are bundled already. */
export const tsc = (name, projects = []) => tool(name, 'node_modules/typescript/bin/tsc', ['-b', ...projects]);

/** Services whose generated code is committed to the repository. */
export const generatedServices = ['packages/core', 'examples/orders', 'bench/http/svc'];

export function generate(name, ...flags) {
  for (const service of generatedServices) {
    tool(`${name} ${service}`, 'packages/cli/bin/svc.js', ['generate', '--project', service, ...flags]);
  }
}

/** Bundles the API page and the GraphQL explorer. */
export const buildPages = () => tool('build the pages', 'tools/pages/main.mjs', []);

/** Runs a program in the terminal, passes signals on to it, and ends with its exit code. */
export function become(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
  // The terminal signals the child too; a signal sent to this process only must be passed on.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1);
  });
}

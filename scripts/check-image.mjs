/**
 * Executes the Dockerfile of `svc deploy manifests --dockerfile` without an engine, for examples/orders as a separate project with svc from
 * packed packages. Then starts the service like the container: as another user, without write access. It must become ready and stop on
 * SIGTERM. Takes a minute or two, and needs access to npm.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildStages } from '../tools/image/build.mjs';
import { containerOf, readDockerfile } from '../tools/image/dockerfile.mjs';
import { freePort } from '../tools/ports/index.mjs';
import { createCluster } from '../tools/postgres/cluster.mjs';
import { build, ensureInstalled, requireNode, root } from './lib/steps.mjs';

requireNode();
ensureInstalled();
build('build');
const folder = mkdtempSync(join(tmpdir(), 'svc-image-'));
chmodSync(folder, 0o755);
const context = join(folder, 'context');
try {
  pack();
  writeProject();
  npm(['install', '--package-lock-only', '--no-audit', '--no-fund', '--loglevel=error'], context);
  const svc = join(root, 'packages/cli/bin/svc.js');
  must(process.execPath, [svc, 'deploy', 'manifests', '--dockerfile', '--out', context], root);
  const stages = readDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  const image = buildStages(stages, { context, into: folder });
  await start(image, containerOf(stages));
  console.log('\nThe image builds, starts, becomes ready, and stops on SIGTERM.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function pack() {
  const packages = readdirSync(join(root, 'packages')).filter((name) => name !== 'console');
  const target = join(context, 'packages');
  mkdirSync(target, { recursive: true });
  npm(['pack', '--silent', '--pack-destination', target, ...packages.map((name) => `./packages/${name}`)], root);
}

function writeProject() {
  const orders = join(root, 'examples/orders');
  cpSync(join(orders, 'src'), join(context, 'src'), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(orders, 'package.json'), 'utf8'));
  const archives = readdirSync(join(context, 'packages'));
  const packed = (name) => `file:packages/${archives.find((file) => file.startsWith(name.replace('@svc/', 'svc-')))}`;
  const own = Object.fromEntries(archives.map((file) => [`@svc/${/^svc-(.+)-\d+\.\d+\.\d+/.exec(file)[1]}`, file]));
  const local = (dependencies) =>
    Object.fromEntries(
      Object.entries(dependencies).map(([name, range]) => [name, name.startsWith('@svc/') ? packed(name) : range]),
    );
  const { devDependencies: tools } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  write('package.json', {
    ...manifest,
    scripts: { ...manifest.scripts, build: 'svc generate && tsc -p . && tsc -p src/page/browser' },
    dependencies: local(manifest.dependencies),
    devDependencies: {
      ...local(manifest.devDependencies),
      typescript: tools.typescript,
      '@types/node': tools['@types/node'],
    },
    // Their dependencies among each other are packed as well.
    overrides: Object.fromEntries(Object.keys(own).map((name) => [name, packed(name)])),
  });
  const base = JSON.parse(readFileSync(join(root, 'tsconfig.base.json'), 'utf8'));
  const options = { ...base.compilerOptions, composite: false, rootDir: 'src', outDir: 'dist' };
  const page = join('src', 'page', 'browser');
  const exclude = ['src/**/*.test.ts', 'src/**/testing/**', page];
  write('tsconfig.json', { compilerOptions: options, include: ['src'], exclude });
  const browser = {
    ...options,
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    rootDir: '../..',
    outDir: '../../../dist',
  };
  write(join(page, 'tsconfig.json'), { compilerOptions: browser, include: ['.'] });
}

function write(name, value) {
  writeFileSync(join(context, name), JSON.stringify(value, null, 2));
}

async function start(image, { environment, user, entrypoint, workdir }) {
  const cluster = await createCluster({ fsync: 'off' });
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  const [program, ...args] = entrypoint;
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd: join(image, workdir),
    stdio: 'inherit',
    // Only root can switch to another user; any other user already has no special rights.
    ...(isRoot ? user : {}),
    env: {
      PATH: process.env.PATH,
      ...environment,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: cluster.url,
      KEY_VAULT: `k1:${randomBytes(32).toString('base64')}`,
      DRAIN_NOTICE_MS: '100',
    },
  });
  const ended = once(child, 'exit');
  try {
    await ready(`http://127.0.0.1:${port}/health/ready`, child);
    child.kill('SIGTERM');
    const [code, signal] = await ended;
    if (code !== 0) throw new Error(`The service exited with ${code ?? signal} on SIGTERM; 0 was expected.`);
  } finally {
    child.kill('SIGKILL');
    await cluster.remove();
  }
}

async function ready(url, child) {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(100)) {
    if (child.exitCode !== null) throw new Error(`The service exited with ${child.exitCode} before it was ready.`);
    const answer = await fetch(url).catch(() => null);
    if (answer?.status === 200) return console.log(await answer.text());
  }
  throw new Error('The service did not become ready within a minute.');
}

function npm(args, cwd) {
  must('npm', args, cwd);
}

function must(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${args[0]} exited with ${status}.`);
}

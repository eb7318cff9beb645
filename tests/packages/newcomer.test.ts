/**
 * Plays a newcomer: an empty folder, a registry with the packages of this checkout, and the commands of the documentation. The tests of created
 * services, svc dev and installed packages cover its steps one by one.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePorts } from '../deploy/ports.js';
import { root } from './outside-commands.js';
import { OutsideFolder } from './outside-folder.js';

const isLong = process.env['SVC_TEST_NEWCOMER'] === '1';
const bookId = '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d';
const source = 'library/src/books/lend-book.ts';
const limit = { timeout: 60_000 };

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { overrides: Record<string, string> };

let folder: OutsideFolder;
let port: number;
let service: ChildProcess | undefined;
let printed = '';
beforeAll(async () => {
  if (!isLong) return;
  folder = await OutsideFolder.create();
  [port = 0] = await freePorts(1);
}, 120_000);
afterAll(async () => {
  await stop();
  if (isLong) folder.remove();
});

/** Starts a program of the service, which listens on `port`. */
function start(...args: readonly string[]): void {
  printed = '';
  service = spawn(process.execPath, args, {
    cwd: join(folder.directory, 'library'),
    env: { ...folder.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [service.stdout!, service.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  }
}

async function stop(): Promise<void> {
  if (service === undefined) return;
  const ended = once(service, 'exit');
  service.kill('SIGINT');
  await ended;
  service = undefined;
}

/** The response to a POST, or why there is none. */
async function lend(): Promise<unknown> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/books/lend`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ bookId, member: 'Ann' }),
    });
    return await response.json();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

it.runIf(isLong)('creates, tests, runs, changes and deploys a service', { timeout: 600_000 }, async () => {
  const created = await folder.run('npm create --yes @svc@latest library -- --yes');
  expect(created).toContain('npm run dev');
  // A registry can lack the binaries of other platforms for the newest versions, and then npm ci fails: use those of this repository.
  await folder.run(`npm pkg set overrides.rolldown=${manifest.overrides['rolldown']}`, 'library');
  await folder.run('npm install', 'library');
  expect(folder.waysToCheckout('library')).toEqual([]);
  expect(await folder.run('NO_COLOR=1 npm test', 'library')).toMatch(/Test Files +\d+ passed/);

  start('node_modules/@svc/cli/bin/svc.js', 'dev');
  await expect.poll(lend, limit).toEqual({ bookId, member: 'Ann' });
  // The audit is written in the same transaction as the command.
  const records = await folder.run('npx svc audit query --json', 'library');
  expect(records).toContain('library.LendBook');

  const original = folder.read(source);
  folder.write(
    source,
    original.replace('return { bookId, member };', 'return { bookId, member: member.toUpperCase() };'),
  );
  await expect.poll(lend, limit).toEqual({ bookId, member: 'ANN' });

  await folder.run('npx svc add perspective OverdueBooks && npx svc add reaction RemindMember', 'library');
  await expect.poll(() => printed, limit).toMatch(/Restarted in \d+ ms\.[\s\S]*Restarted in \d+ ms\./);
  await stop();

  const steps = [...folder.read('library/Dockerfile').matchAll(/^RUN (npm .+)$/gm)].map(([, command]) => command!);
  expect(steps).toHaveLength(2);
  await folder.run(steps.join(' && '), 'library');
  const [, entry] = /^ENTRYPOINT (.+)$/m.exec(folder.read('library/Dockerfile'))!;
  start(...(JSON.parse(entry!) as string[]).slice(1));
  await expect.poll(lend, limit).toEqual({ bookId, member: 'ANN' });
});

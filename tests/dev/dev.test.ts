/** `svc dev` on a service of `svc new`, as processes: failures, and what is left when it ends. tests/packages/tutorial has what it shows of requests and events. */
import { createServer } from 'node:net';
import { newService } from '@svc/create';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../tools/ports/index.mjs';
import { TemporaryProject } from '../generator/temporary-project.js';
import { DevProcess, isRunning } from './dev-process.js';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const limit = { timeout: 60_000 };
const source = 'src/books/lend-book.ts';
const answer = 'return { bookId, member };';
const bookId = '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d';

let project: TemporaryProject;
let port: number;
let original: string;
let running: DevProcess | undefined;

beforeAll(async () => {
  project = new TemporaryProject({}, 'dev-');
  rmSync(project.directory, { recursive: true });
  const folder = join(project.directory, 'library');
  await newService([folder, '--yes'], { out: () => {}, error: console.error });
  original = project.read(`library/${source}`);
  project.write('xdg-open', `#!/bin/sh\necho "$1" > "${join(project.directory, 'opened')}"\n`);
  chmodSync(join(project.directory, 'xdg-open'), 0o755);
  [port = 0] = await freePorts(1);
});
afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.ended;
  running = undefined;
});
afterAll(() => project.remove());

/** With a terminal, and a program that notes the page it should open. */
const dev = (): DevProcess => (running = new DevProcess(join(project.directory, 'library'), port, project.directory));
const openedPage = (): string => project.read('opened');
const edit = (text: string): void => project.write(`library/${source}`, text);

/** The member in the response, or why there is none. */
async function lend(member = 'Ann'): Promise<unknown> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/books/lend?token=hunter2`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer hunter2' },
      body: JSON.stringify({ bookId, member }),
    });
    return ((await response.json()) as { member?: unknown }).member;
  } catch (error) {
    return String(error);
  }
}

describe('svc dev', () => {
  it('serves every change, and the last good build while the code does not compile', { timeout: 180_000 }, async () => {
    const occupant = createServer().listen(port, '127.0.0.1');
    const process = dev();
    await expect.poll(() => process.printed, limit).toContain('the port is in use');
    await expect.poll(() => process.printed).toContain('svc starts it again at the next change');
    await new Promise((resolve) => occupant.close(resolve));

    const crashing = "if (member === 'crash') setImmediate(() => { throw new Error('crashed'); });\n    ";
    edit(original.replace(answer, crashing + 'return { bookId, member: `${member}!` };'));
    await expect.poll(lend, limit).toBe('Ann!');

    // The service answers before svc dev knows its address.
    const open = (): string => {
      process.press('o');
      return openedPage();
    };
    await expect.poll(open, { ...limit, interval: 500 }).toBe(`http://127.0.0.1:${port}/docs\n`);
    const restarts = (): number => process.printed.match(/^Restarted in \d+ ms\.$/gm)?.length ?? 0;
    const before = restarts();
    process.press('r');
    await expect.poll(restarts, limit).toBeGreaterThan(before);
    await expect.poll(lend, limit).toBe('Ann!');

    edit(original.replace(answer, 'return { bookId, member: 1 };'));
    const typeError = "src/books/lend-book.ts:27:22 TS2322 Type 'number' is not assignable to type 'string'.";
    await expect.poll(() => process.printed, limit).toContain(typeError);
    await expect.poll(() => process.printed, limit).toContain('The last build that compiled keeps running.');
    expect(await lend()).toBe('Ann!');

    await lend('crash');
    await expect.poll(() => process.printed, limit).toContain('The service ended with exit code 1.');
    edit(original);
    await expect.poll(lend, limit).toBe('Ann');

    expect(process.printed).not.toContain('hunter2');
    // The service, and the process that waits for the next build.
    await expect.poll(() => process.children.length).toBe(2);
    const { children } = process;
    // Ctrl-C: a terminal that sends single keys sends no signal.
    process.press('\u0003');
    expect(await process.ended).toEqual([0, null]);
    expect(children.filter(isRunning)).toEqual([]);
  });

  it('leaves nothing behind when it is killed', { timeout: 120_000 }, async () => {
    edit(original);
    const process = dev();
    await expect.poll(lend, limit).toBe('Ann');
    await expect.poll(() => process.children.length).toBe(2);
    const { children } = process;
    process.child.kill('SIGKILL');
    await process.ended;
    await expect.poll(() => children.filter(isRunning), limit).toEqual([]);
  });

  it('rejects a folder without a service', async () => {
    running = new DevProcess(join(project.directory, 'nowhere'), port);
    expect(await running.ended).toEqual([1, null]);
    expect(running.printed).toContain('Run svc in the folder of a service, or pass --project <folder>.');
  });
});

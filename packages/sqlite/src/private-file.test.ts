import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { newId } from '@svc/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrivately } from './private-file.js';
import { sqlite, type SqliteStorage } from './sqlite-storage.js';

let folder: string;
let umask: number;
let storage: SqliteStorage | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-private-'));
  umask = process.umask();
});
afterEach(async () => {
  process.umask(umask);
  await storage?.close();
  storage = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Opens a storage on the file and writes to it, so that SQLite creates what it needs next to the file. */
async function use(file: string): Promise<void> {
  storage = sqlite({ file });
  await storage.commit(commitRecord({ events: [pendingRecord(newId())] }));
}

describe('a database file that svc creates', () => {
  it.each([0o000, 0o022, 0o077, 0o777])(
    'is accessible only for its owner under the umask %o, like its folders and the files next to it',
    async (mask) => {
      const file = join(folder, 'data/orders/orders.db');
      process.umask(mask);
      await use(file);
      process.umask(umask);
      expect([modeOf(join(folder, 'data')), modeOf(dirname(file))]).toEqual(['700', '700']);
      const files = readdirSync(dirname(file)).toSorted();
      expect(files).toEqual(['orders.db', 'orders.db-shm', 'orders.db-wal']);
      expect(files.map((name) => modeOf(join(dirname(file), name)))).toEqual(['600', '600', '600']);
    },
  );

  it('is accessible only for its owner when created through a link', async () => {
    process.umask(0);
    symlinkSync('elsewhere/orders.db', join(folder, 'orders.db'));
    await use(join(folder, 'orders.db'));
    expect(modeOf(join(folder, 'elsewhere'))).toBe('700');
    expect(modeOf(join(folder, 'elsewhere/orders.db'))).toBe('600');
    expect(modeOf(join(folder, 'elsewhere/orders.db-wal'))).toBe('600');
  });

  it('is never readable by others, not even briefly', async () => {
    process.umask(0);
    const file = join(folder, 'orders.db');
    const observer = await Observer.watch(file);
    // Until the observer has seen the file often enough between its creation and its removal.
    for (let round = 0; round < 100_000 && (round < 5_000 || observer.sightings < 200); round++) {
      createPrivately(file);
      rmSync(file);
    }
    await observer.end();
    expect(observer.sightings).toBeGreaterThanOrEqual(200);
    expect(observer.seenBits.toString(8)).toBe('600');
  });
});

describe('an existing file or folder', () => {
  it('retains its mode', async () => {
    const data = join(folder, 'data');
    mkdirSync(data);
    chmodSync(data, 0o750);
    const file = join(data, 'orders.db');
    writeFileSync(file, '');
    chmodSync(file, 0o640);
    await use(file);
    expect([modeOf(data), modeOf(file), modeOf(`${file}-wal`)]).toEqual(['750', '640', '640']);
  });

  it('is not changed if it is not a database', async () => {
    const file = join(folder, 'note.txt');
    writeFileSync(file, 'A note that is long enough to be taken for the first page of a file, and is none.');
    chmodSync(file, 0o644);
    await expect(sqlite({ file }).open()).rejects.toMatchObject({ code: 'SVC_STORAGE_DAMAGED' });
    expect([modeOf(file), readFileSync(file, 'utf8').slice(0, 6)]).toEqual(['644', 'A note']);
  });
});

it('rejects a link to itself with an error that names the file', async () => {
  const file = join(folder, 'orders.db');
  symlinkSync('orders.db', file);
  await expect(sqlite({ file }).open()).rejects.toMatchObject({
    code: 'SVC_STORAGE_UNAVAILABLE',
    message: expect.stringContaining(file) as string,
  });
});

/** Reads the mode of a file from its own thread, as often as possible. */
class Observer {
  readonly #worker: Worker;
  /** Whether to end, the observed bits, and the number of observations. */
  readonly #shared: Int32Array;

  static async watch(file: string): Promise<Observer> {
    const shared = new Int32Array(new SharedArrayBuffer(12));
    const worker = new Worker(
      `const { statSync } = require('node:fs');
       const { parentPort, workerData: { file, shared } } = require('node:worker_threads');
       parentPort.postMessage('watching');
       while (Atomics.load(shared, 0) === 0) {
         const found = statSync(file, { throwIfNoEntry: false });
         if (found === undefined) continue;
         Atomics.or(shared, 1, found.mode & 0o777);
         Atomics.add(shared, 2, 1);
       }`,
      { eval: true, workerData: { file, shared } },
    );
    await new Promise((resolve) => worker.once('message', resolve));
    return new Observer(worker, shared);
  }

  private constructor(worker: Worker, shared: Int32Array) {
    this.#worker = worker;
    this.#shared = shared;
  }

  get seenBits(): number {
    return Atomics.load(this.#shared, 1);
  }

  get sightings(): number {
    return Atomics.load(this.#shared, 2);
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#worker.once('exit', resolve));
    Atomics.store(this.#shared, 0, 1);
    await ended;
  }
}

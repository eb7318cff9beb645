/** What the disk can do to a database: no room, no writing, damage. Each is caused for real, or the test says why it cannot be. */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@svc/core';
import { StorageDamagedError, StorageUnavailableError, type Storage } from '@svc/core/storage';
import { collect, commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../tools/postgres/cluster.mjs';
import { createSmallDisk } from '../../tools/torture/small-disk.mjs';

const folder = mkdtempSync(join(tmpdir(), 'svc-hard-'));
const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
  rmSync(folder, { recursive: true, force: true });
});

/** A file system of its own with little room; null where this user may not make one. */
function smallDisk(name: string, megabytes: number): string | null {
  const disk = createSmallDisk(join(folder, name), megabytes);
  if (disk === null) return null;
  ends.push(() => disk.remove());
  return disk.path;
}

/** Which no database can make smaller. */
const body = JSON.stringify({ text: randomBytes(15_000).toString('base64') });
const writeOne = async (storage: Storage): Promise<void> =>
  await storage.commit(commitRecord({ events: [pendingRecord(newId(), { body }), pendingRecord(newId())] }));

/** Writes until it goes no more; returns how many records were kept, and why it ended. */
async function fill(storage: Storage): Promise<{ committed: number; error: unknown }> {
  for (let committed = 0; ; committed++) {
    try {
      await writeOne(storage);
    } catch (error) {
      return { committed, error };
    }
  }
}

async function expectFullAndWellAgain(storage: Storage, makeRoom: () => Promise<void> | void): Promise<void> {
  const { committed, error } = await fill(storage);
  expect(committed).toBeGreaterThan(0);
  expect(error).toBeInstanceOf(StorageUnavailableError);
  expect(error).toMatchObject({ code: 'SVC_STORAGE_UNAVAILABLE', outcome: 'none', reason: 'full' });
  expect((error as Error).message).toMatch(/no room left/);
  expect((await collect(storage.readAll())).length, 'each record whole or not at all').toBe(2 * committed);
  await makeRoom();
  await writeOne(storage);
  expect((await collect(storage.readAll())).length).toBe(2 * committed + 2);
}

describe('SQLite', () => {
  it('reports a full disk, commits nothing partially, and resumes once there is space', async ({ skip }) => {
    const disk = smallDisk('sqlite', 2);
    if (disk === null) return skip('this user may not mount a small file system');
    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(1_000_000));
    const storage = sqlite({ file: join(disk, 'data.db') });
    await storage.open();
    await expectFullAndWellAgain(storage, () => unlinkSync(ballast));
    await storage.close();
  });

  it('reports a missing write permission', async ({ skip }) => {
    const file = join(folder, 'read-only.db');
    const first = sqlite({ file });
    await writeOne(first);
    await first.close();
    if (spawnSync('chattr', ['+i', file]).status !== 0)
      return skip('this file system has no files that cannot be changed');
    const storage = sqlite({ file });
    try {
      await expect(writeOne(storage)).rejects.toThrow(
        expect.objectContaining({ code: 'SVC_STORAGE_UNAVAILABLE' }) as Error,
      );
    } finally {
      spawnSync('chattr', ['-i', file]);
    }
    await writeOne(storage);
    expect(await collect(storage.readAll())).toHaveLength(4);
    await storage.close();
  });

  it('reports a damaged file, and commits nothing to it', async () => {
    const file = join(folder, 'damaged.db');
    const first = sqlite({ file });
    for (let i = 0; i < 20; i++) await writeOne(first);
    await first.close();
    const whole = readFileSync(file);
    const handle = openSync(file, 'r+');
    for (let page = 1; page < statSync(file).size / 4096; page++)
      writeSync(handle, Buffer.alloc(4000, 0xa5), 0, 4000, page * 4096);
    closeSync(handle);
    const storage = sqlite({ file });
    await expect(writeOne(storage)).rejects.toThrow(StorageDamagedError);
    await expect(collect(storage.readAll())).rejects.toThrow(StorageDamagedError);
    await storage.close();
    writeFileSync(file, whole);
    const restored = sqlite({ file });
    expect(await collect(restored.readAll())).toHaveLength(40);
    await restored.close();
    writeFileSync(join(folder, 'other.db'), 'this is not a database at all, whatever its name says');
    await expect(sqlite({ file: join(folder, 'other.db') }).open()).rejects.toThrow(StorageDamagedError);
  });
});

describe('PostgreSQL', () => {
  let cluster: Cluster;
  let admin: pg.Client;
  beforeAll(async () => {
    cluster = await createCluster();
    admin = new pg.Client(cluster.url);
    await admin.connect();
    admin.on('error', () => {});
  });
  afterAll(async () => {
    await admin.end().catch(() => {});
    await cluster.remove();
  });

  it('reports a full disk, commits nothing partially, and resumes once there is space', async ({ skip }) => {
    const disk = smallDisk('postgres', 14);
    if (disk === null) return skip('this user may not mount a small file system');
    const { rows } = await admin.query<{ data: string }>("SELECT current_setting('data_directory') AS data");
    const { uid, gid } = statSync(rows[0]!.data);
    spawnSync('chown', [`${uid}:${gid}`, disk]);
    spawnSync('chmod', ['755', folder]);
    const place = join(disk, 'space');
    spawnSync('install', ['-d', '-o', String(uid), '-g', String(gid), place]);
    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(2_000_000));
    await admin.query(`CREATE TABLESPACE small LOCATION '${place}'`);
    await admin.query('CREATE DATABASE crowded TABLESPACE small');
    const storage = postgres({ url: cluster.urlOf('crowded') });
    await expectFullAndWellAgain(storage, () => unlinkSync(ballast));
    await storage.close();
    await admin.query('DROP DATABASE crowded');
    await admin.query('DROP TABLESPACE small');
  }, 30_000);

  it('reports a missing write permission', async () => {
    await admin.query('CREATE DATABASE still');
    const storage = postgres({ url: cluster.urlOf('still') });
    await writeOne(storage);
    await storage.close();
    await admin.query('ALTER DATABASE still SET default_transaction_read_only = on');
    const reading = postgres({ url: cluster.urlOf('still') });
    await expect(writeOne(reading)).rejects.toThrow(
      expect.objectContaining({ code: 'SVC_STORAGE_UNAVAILABLE', outcome: 'none', reason: 'read-only' }) as Error,
    );
    expect(await collect(reading.readAll())).toHaveLength(2);
    await reading.close();
  });

  it('reports a damaged page', async () => {
    await admin.query('CREATE DATABASE damaged');
    const url = cluster.urlOf('damaged');
    const first = postgres({ url });
    await writeOne(first);
    await first.close();
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query<{ file: string }>(
      "SELECT current_setting('data_directory') || '/' || pg_relation_filepath('svc_events') AS file",
    );
    await client.end();
    await cluster.stop('fast');
    const handle = openSync(rows[0]!.file, 'r+');
    writeSync(handle, Buffer.alloc(8192, 0xa5), 0, 8192, 0);
    closeSync(handle);
    await cluster.start();
    const storage = postgres({ url });
    await expect(collect(storage.readAll())).rejects.toThrow(StorageDamagedError);
    await storage.close();
  }, 30_000);
});

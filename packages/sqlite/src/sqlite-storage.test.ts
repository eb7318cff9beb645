import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { newId } from '@svc/core';
import { collect, commitRecord, contractOf, pendingRecord } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from './engine.js';
import { sqlite, type SqliteStorage } from './index.js';

let folder: string;
let opened: SqliteStorage[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sqlite-'));
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((storage) => storage.close()));
  rmSync(folder, { recursive: true });
});

const file = (): string => join(folder, 'sub', 'data.db');

async function open(): Promise<SqliteStorage> {
  const storage = sqlite({ file: file() });
  opened.push(storage);
  await storage.open();
  return storage;
}

describe('the SQLite storage', () => {
  it.each(contractOf(sqlite()))('$name', async ({ run }) => {
    await expect(run(open)).resolves.toBeUndefined();
  });
});

it('reads everything after it was closed and opened again', async () => {
  const stream = newId();
  const first = await open();
  await first.commit(commitRecord({ events: [pendingRecord(stream)] }));
  await first.close();
  await expect(first.commit(commitRecord({}))).rejects.toMatchObject({ code: 'SVC_STORAGE_CLOSED' });
  expect(await collect((await open()).readStream(stream))).toHaveLength(1);
});

it('finishes a commit that began before it was opened, before it closes', async () => {
  const storage = sqlite({ file: file() });
  const stream = newId();
  const committing = storage.commit(commitRecord({ events: [pendingRecord(stream)] }));
  await storage.close();
  await committing;
  expect(await (await open()).lastPosition(stream)).toBe(0);
});

const newFile = "INSERT INTO svc_archives VALUES (1, 'f', '', 1, 1, 0, 0, 0)";

it.each([
  ['changed', "UPDATE svc_events SET body = '{}'"],
  ['archived without a file', "UPDATE svc_events SET body = '', archive = 1"],
  ['changed with a file', `${newFile}; UPDATE svc_events SET body = '', archive = 1, type = 'test.Other'`],
  ['emptied without a reference', `${newFile}; UPDATE svc_events SET body = ''`],
  ['deleted', 'DELETE FROM svc_events'],
  ['replaced', 'INSERT OR REPLACE INTO svc_events SELECT * FROM svc_events'],
])('has stored events that cannot be %s', async (_what, sql) => {
  const storage = await open();
  await storage.commit(commitRecord({ events: [pendingRecord(newId())] }));
  const database = openDatabase(file());
  expect(() => database.exec(sql)).toThrow('svc_events is append-only');
  database.close();
  expect(await collect(storage.readAll())).toHaveLength(1);
});

it('waits for another process that writes, without blocking other work', async () => {
  const storage = await open();
  const other = openDatabase(file());
  other.exec('BEGIN IMMEDIATE');
  const committing = storage.commit(commitRecord({ events: [pendingRecord(newId())] }));
  for (let turn = 0; turn < 6; turn++) {
    await setTimeout(20);
    expect(await collect(storage.readAll())).toEqual([]);
  }
  other.exec('COMMIT');
  other.close();
  await committing;
  expect(await collect(storage.readAll())).toHaveLength(1);
});

it('rejects a commit when another process locks the file for too long', async () => {
  const storage = sqlite({ file: file(), lockTimeoutMs: 50 });
  opened.push(storage);
  await storage.open();
  const other = openDatabase(file());
  other.exec('BEGIN IMMEDIATE');
  await expect(storage.commit(commitRecord({ events: [pendingRecord(newId())] }))).rejects.toMatchObject({
    code: 'SVC_STORAGE_UNAVAILABLE',
    outcome: 'none',
  });
  other.close();
});

it('lets other work run while many events are read', async () => {
  const storage = await open();
  const events = Array.from({ length: 2_000 }, () => pendingRecord(newId()));
  await storage.commit(commitRecord({ events }));
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  expect(await collect(storage.readAll())).toHaveLength(2_000);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(1);
});

it('names the file that cannot be opened', async () => {
  const storage = sqlite({ file: folder });
  await expect(storage.open()).rejects.toMatchObject({
    code: 'SVC_STORAGE_UNAVAILABLE',
    message: expect.stringContaining(`Cannot open the database file ${folder}: `) as string,
  });
});

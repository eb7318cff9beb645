/** The rows of the table of subject keys, after keys were destroyed. */
import { randomBytes } from 'node:crypto';
import { newId } from '@svc/core';
import type { SubjectKeyRecord } from '@svc/core/storage';
import { postgres, type PostgresStorage } from '@svc/postgres';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { query, serverUrl, useDatabase, type TestDatabase } from './test-database.js';
import { createSeparatedDatabase } from './two-roles.js';

const newKey = (): SubjectKeyRecord => {
  const subject = `customer-${randomBytes(16).toString('hex')}`;
  return { id: newId(), subject, wrapped: `local:k1:${randomBytes(60).toString('base64url')}` };
};

/** The keys in the rows of the file of the table, also in dead rows. As the administrator of the server. */
async function foundInRows(keys: readonly SubjectKeyRecord[], databaseUrl: string): Promise<SubjectKeyRecord[]> {
  const admin = new URL(serverUrl());
  admin.pathname = new URL(databaseUrl).pathname;
  await query(admin.href, 'CHECKPOINT');
  const { rows } = await query(
    admin.href,
    "SELECT pg_read_binary_file(pg_relation_filepath('svc_subject_keys')) AS content",
  );
  const stored = rowsIn((rows[0] as { content: Buffer }).content);
  return keys.filter(({ wrapped }) => stored.some((row) => row.includes(wrapped!)));
}

const pageBytes = 8_192;
const pageHeaderBytes = 24;
/** The state of a pointer to a row, live or dead. */
const pointsToRow = 1;

/** The rows in the pages of a table, which begin with pointers to them. Without the free space of the pages. */
function rowsIn(file: Buffer): string[] {
  const rows: string[] = [];
  for (let start = 0; start < file.length; start += pageBytes) {
    const page = file.subarray(start, start + pageBytes);
    const pointersEnd = page.readUInt16LE(12);
    for (let at = pageHeaderBytes; at < pointersEnd; at += 4) {
      const pointer = page.readUInt32LE(at);
      const [offset, state, length] = [pointer & 0x7fff, (pointer >>> 15) & 3, pointer >>> 17];
      if (state === pointsToRow) rows.push(page.toString('latin1', offset, offset + length));
    }
  }
  return rows;
}

async function open(url: string): Promise<PostgresStorage> {
  const storage = postgres({ url });
  onTestFinished(() => storage.close());
  await storage.open();
  return storage;
}

const settings = ['autovacuum_vacuum_threshold=0', 'autovacuum_vacuum_scale_factor=0'];
const tableOptions = "SELECT reloptions FROM pg_class WHERE oid = 'svc_subject_keys'::regclass";

describe('with one role', () => {
  let database: TestDatabase;
  useDatabase((created) => (database = created));

  it('leaves destroyed keys in no row, not even in a dead one, and all others where they are', async () => {
    const { subjectKeys } = await open(database.url);
    const keys = Array.from({ length: 100 }, newKey);
    await subjectKeys.add(keys);
    expect(await foundInRows(keys, database.url)).toHaveLength(keys.length);
    const destroyed = keys.filter((_, i) => i % 10 === 3 || i > 90);
    for (const { subject } of destroyed) await subjectKeys.destroy(subject);
    expect(await foundInRows(destroyed, database.url)).toEqual([]);
    const others = keys.filter((key) => !destroyed.includes(key));
    expect(await foundInRows(others, database.url)).toHaveLength(others.length);
  });

  it('destroys a key that an open transaction can see, and removes its row when it is destroyed again', async () => {
    const { subjectKeys } = await open(database.url);
    const key = newKey();
    await subjectKeys.add([key]);
    const reader = new pg.Client(database.url);
    await reader.connect();
    onTestFinished(() => reader.end());
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM svc_subject_keys');
    expect(await subjectKeys.destroy(key.subject)).toEqual([key.id]);
    expect(await foundInRows([key], database.url)).toEqual([key]);
    await reader.query('COMMIT');
    // Other sessions of the server can have snapshots for a moment.
    await expect
      .poll(async () => {
        expect(await subjectKeys.destroy(key.subject)).toEqual([key.id]);
        return await foundInRows([key], database.url);
      })
      .toEqual([]);
  });

  it('lets autovacuum run after a single erasure', async () => {
    expect((await database.query(tableOptions)).rows).toEqual([{ reloptions: settings }]);
  });
});

it('destroys keys with a runtime role that does not own the table, and leaves their removal to autovacuum', async () => {
  const database = await createSeparatedDatabase();
  onTestFinished(() => database.remove());
  const { subjectKeys } = await open(database.url);
  const key = newKey();
  await subjectKeys.add([key]);
  expect(await subjectKeys.destroy(key.subject)).toEqual([key.id]);
  expect(await subjectKeys.byIds([key.id])).toEqual([{ ...key, wrapped: null }]);
  const { rows } = await database.owner.query(tableOptions);
  expect(rows).toEqual([{ reloptions: settings }]);
});

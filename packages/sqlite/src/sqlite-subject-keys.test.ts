import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@svc/core';
import type { SubjectKeyRecord } from '@svc/core/storage';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from './engine.js';
import { sqlite, type SqliteStorage } from './index.js';

let folder: string;
let storage: SqliteStorage;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-keys-'));
  storage = sqlite({ file: file() });
  await storage.open();
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

const file = (): string => join(folder, 'data.db');

/** Random ids, so that pages are split and merged as in a large table. */
const newKey = (): SubjectKeyRecord => {
  const wrapped = `local:k1:${randomBytes(60).toString('base64url')}`;
  return { id: newId(), subject: `customer-${randomBytes(16).toString('hex')}`, wrapped };
};

const partLength = 16;

/** The keys of which at least a part is in the files of the database. */
function foundInFiles(keys: readonly SubjectKeyRecord[]): SubjectKeyRecord[] {
  const files = [file(), `${file()}-wal`].filter((name) => existsSync(name));
  const content = files.map((name) => readFileSync(name).toString('latin1')).join('');
  const partsOf = (wrapped: string): string[] => {
    const secret = wrapped.slice('local:k1:'.length);
    return Array.from({ length: secret.length / partLength }, (_, i) =>
      secret.slice(i * partLength, (i + 1) * partLength),
    );
  };
  return keys.filter(({ wrapped }) => partsOf(wrapped!).some((part) => content.includes(part)));
}

it('leaves no part of destroyed keys in the database file and its log, and all of the others', async () => {
  const keys: SubjectKeyRecord[] = [];
  for (let i = 0; i < 40; i++) {
    const added = Array.from({ length: 20 }, newKey);
    keys.push(...added);
    await storage.subjectKeys.add(added);
    await storage.commit(commitRecord({ events: [pendingRecord(newId())] }));
  }
  expect(foundInFiles(keys)).toHaveLength(keys.length);
  const destroyed = keys.filter((_, i) => i % 4 !== 3);
  const others = keys.filter((_, i) => i % 4 === 3);
  for (const [i, { subject }] of destroyed.entries()) {
    await storage.subjectKeys.destroy(subject);
    if (i % 50 === 0) await storage.subjectKeys.add([newKey()]);
  }
  expect(foundInFiles(destroyed)).toEqual([]);
  expect(foundInFiles(others)).toHaveLength(others.length);
});

it('destroys a key while another process reads the file, and removes it from the files once that has ended', async () => {
  const key = newKey();
  await storage.subjectKeys.add([key]);
  const reader = openDatabase(file());
  reader.exec('BEGIN; SELECT count(*) FROM svc_subject_keys');
  expect(await storage.subjectKeys.destroy(key.subject)).toEqual([key.id]);
  expect(foundInFiles([key])).toEqual([key]);
  reader.exec('COMMIT');
  await expect.poll(() => foundInFiles([key])).toEqual([]);
  reader.close();
});

it('removes a destroyed key from the files at the latest when it is closed', async () => {
  const key = newKey();
  await storage.subjectKeys.add([key]);
  const reader = openDatabase(file());
  reader.exec('BEGIN; SELECT count(*) FROM svc_subject_keys');
  await storage.subjectKeys.destroy(key.subject);
  reader.close();
  await storage.close();
  expect(foundInFiles([key])).toEqual([]);
});

/** The backup of docs/guides/storage.md, by its own commands: complete, and as private as the database. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@svc/core';
import { collect, commitRecord, pendingRecord } from '@svc/core/testing';
import { sqlite } from '@svc/sqlite';
import { expect, it } from 'vitest';
import { Guide, runInShell } from './guide.js';

const blocks = new Guide('storage.md').blocks.filter(({ text }) => text.includes('orders-backup.db'));
/** What the guide says for SQLite; the commands of PostgreSQL need a server of that name. */
const commands = blocks.map(({ text }) =>
  text
    .split('\n')
    .filter((line) => !/pg_dump|pg_restore/.test(line))
    .join('\n'),
);
const hasShell = spawnSync('sqlite3', ['--version']).status === 0;

it.skipIf(!hasShell)('is readable by its owner alone, and has what the database had', async () => {
  expect(commands).toHaveLength(2);
  const folder = mkdtempSync(join(tmpdir(), 'svc-backup-'));
  const file = join(folder, '.svc/orders.db');
  const modeOf = (name: string): string => (statSync(join(folder, name)).mode & 0o777).toString(8);
  const umask = process.umask(0o022);
  try {
    const streamId = newId();
    const storage = sqlite({ file });
    await storage.commit(commitRecord({ events: [pendingRecord(streamId)] }));
    runInShell(commands[0]!, folder);
    await storage.close();
    expect(modeOf('orders-backup.db')).toBe('600');
    rmSync(file);
    runInShell(commands[1]!, folder);
    expect(modeOf('.svc/orders.db')).toBe('600');
    const restored = sqlite({ file });
    expect(await collect(restored.readStream(streamId))).toHaveLength(1);
    await restored.close();
  } finally {
    process.umask(umask);
    rmSync(folder, { recursive: true });
  }
});

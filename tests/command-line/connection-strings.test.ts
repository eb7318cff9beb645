/** Addresses of databases that svc does not understand: no output repeats their password. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlite } from '@svc/sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { svc } from './svc.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-addresses-'));
  vi.stubEnv('DATABASE_URL', '');
  vi.stubEnv('DATABASES', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const addresses = [
  'postgresql+psycopg://svc:hunter2@127.0.0.1:1/db',
  'mysql://svc:hunter2@db/orders',
  'POSTGRES://svc:hunter2@127.0.0.1:1/db',
  'postgre://svc:hunter2@127.0.0.1:1/db',
  'svc:hunter2@127.0.0.1:1/db',
  'jdbc:postgresql://db/orders?user=svc&password=hunter2',
  'host=127.0.0.1 user=svc password=hunter2 dbname=x',
  'password=hunter2 host=127.0.0.1',
  "host = 127.0.0.1 password = 'hunter2'",
  'Server=db;User Id=svc;Password=hunter2',
];

const expected = 'Expected postgres://user:password@host:port/database';

describe.each(addresses)('the address %s', (address) => {
  it.each([['migrate', 'status'], ['migrate', 'up'], ['perspectives', 'list'], ['doctor']])(
    'is rejected as --database of svc %s %s, without its password',
    async (...command) => {
      const { code, out, error } = await svc([...command, '--database', address]);
      expect(code).not.toBe(0);
      expect(out + error).toContain(expected);
      expect(out + error).not.toContain('hunter2');
    },
  );

  it('is rejected in DATABASE_URL and in DATABASES, without its password', async () => {
    vi.stubEnv('DATABASE_URL', address);
    const one = await svc(['migrate', 'status']);
    expect([one.code, one.out, one.error]).toEqual([2, '', expect.stringContaining(expected)]);
    vi.stubEnv('DATABASE_URL', '');
    vi.stubEnv('DATABASES', `eu=${address}`);
    const named = await svc(['migrate', 'status']);
    expect(named.code).toBe(2);
    expect(named.error).toContain('postgres://');
    expect(one.error + named.out + named.error).not.toContain('hunter2');
  });

  it('is rejected by sqlite, without its password', () => {
    const message = 'Cannot create sqlite: file must be the path of a file, not a URL or a connection string.';
    expect(() => sqlite({ file: address })).toThrow(
      expect.objectContaining({ code: 'SVC_STORAGE_MISCONFIGURED', message }),
    );
  });
});

it('a password that white space separates from its URL in DATABASES is not repeated', async () => {
  vi.stubEnv('DATABASES', `eu=${join(folder, 'eu.db')} password=hunter2`);
  const { code, out, error } = await svc(['migrate', 'status']);
  expect([code, out, error]).toEqual([2, '', expect.stringContaining('DATABASES contains a connection string.')]);
  expect(error).not.toContain('hunter2');
});

it.each(['data.db', 'sub folder/a=b.db', 'ann@home.db', 'file:data.db', 'C-drive.db'])(
  'the path %s is a file',
  async (name) => {
    const storage = sqlite({ file: join(folder, name) });
    await storage.open();
    await storage.close();
    expect(existsSync(join(folder, name))).toBe(true);
    const { code } = await svc(['migrate', 'status', '--database', join(folder, name)]);
    expect(code).toBe(0);
  },
);

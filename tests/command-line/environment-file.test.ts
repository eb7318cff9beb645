/** Commands on a database read `.env` in the folder of the service, as `svc dev` does. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { svc } from './svc.js';

const previous = process.cwd();
let folder: string;
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-environment-')));
  // A stubbed variable has its value again after the test, also if the command sets it.
  for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASES', 'KEY_VAULT', 'ALLOW_PLAINTEXT'])
    vi.stubEnv(name, undefined);
  process.chdir(folder);
  for (const name of ['one.db', 'two.db']) await svc(['migrate', 'up', '--database', name]);
});
afterEach(() => {
  process.chdir(previous);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const env = (...lines: string[]): void => writeFileSync('.env', `${lines.join('\n')}\n`);
const usedDatabase = async (...args: string[]): Promise<unknown> => {
  const { code, out, error } = await svc(['migrate', 'status', '--json', ...args]);
  expect([code, error]).toEqual([0, '']);
  return (JSON.parse(out) as { database: unknown }).database;
};

describe('a command on a database', () => {
  it('uses the database in .env, with quotes and comments as svc dev reads them', async () => {
    env('# Development', 'DATABASE_URL="one.db" # the first', 'OTHER=1');
    expect(await usedDatabase()).toBe('one.db');
  });

  it('prefers --database and the environment, and then takes no setting from .env', async () => {
    env('DATABASE_URL=one.db', 'DATABASE_OWNER_URL=one.db', 'ALLOW_PLAINTEXT=yes', 'KEY_VAULT=secret-of-development');
    expect(await usedDatabase('--database', 'two.db')).toBe('two.db');
    vi.stubEnv('DATABASE_URL', 'two.db');
    expect(await usedDatabase()).toBe('two.db');
    const { out } = await svc(['migrate', 'up']);
    expect(out).toBe('two.db is up to date.');
    expect([process.env['ALLOW_PLAINTEXT'], process.env['KEY_VAULT']]).toEqual([undefined, undefined]);
  });

  it('finds the name of a database in DATABASES of .env, and no other', async () => {
    env('DATABASES="eu=one.db us=two.db"');
    expect(await usedDatabase('--database', 'us')).toBe('two.db');
    const { code, out } = await svc(['migrate', 'status']);
    expect([code, out]).toEqual([0, expect.stringMatching(/^Database eu\n[^]*\n\nDatabase us\n/)]);
  });

  it('says where it searched if there is no database, without the content of .env', async () => {
    const without = await svc(['audit', 'query']);
    expect(without).toMatchObject({
      code: 2,
      error: expect.stringContaining(
        `No database given: DATABASE_URL is not set, there is no .env, and .svc contains no database file. svc searched in ${folder}.`,
      ) as string,
    });
    env('AUTH_SECRET=hunter2');
    const { code, error } = await svc(['audit', 'query']);
    expect([code, error]).toEqual([
      2,
      expect.stringContaining('DATABASE_URL is set neither in the environment nor in .env, and .svc contains'),
    ]);
    expect(error).not.toContain('hunter2');
  });

  it('reports a file that it cannot read', async () => {
    mkdirSync('.env');
    expect(await svc(['migrate', 'status'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('Cannot read .env (EISDIR).') as string,
    });
  });
});

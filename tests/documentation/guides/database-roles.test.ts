/** The commands of docs/guides/database-roles.md, in their order, with other names: roles belong to the whole server. */
import { run } from '@svc/cli';
import { newId } from '@svc/core';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { expect, it, onTestFinished } from 'vitest';
import { query, serverUrl } from '../../postgres/test-database.js';
import { Guide } from './guide.js';

const { blocks } = new Guide('database-roles.md');
const suffix = newId().slice(-12);
const renamed = (text: string): string => text.replaceAll(/\borders(?=_|\b)/g, `orders_${suffix}`);

it('separates the roles by the commands of the guide, and the service runs as the runtime role', async () => {
  const [create] = blocks.filter(({ language }) => language === 'sql').map(({ text }) => renamed(text));
  const [setUp, deploy] = blocks.filter(({ language }) => language === 'sh').map(({ text }) => renamed(text));
  const names = { owner: `orders_${suffix}_owner`, runtime: `orders_${suffix}_runtime`, database: `orders_${suffix}` };
  onTestFinished(async () => {
    delete process.env['DATABASE_OWNER_URL'];
    await query(serverUrl(), `DROP DATABASE ${names.database} WITH (FORCE)`);
    await query(serverUrl(), `DROP ROLE ${names.owner}; DROP ROLE ${names.runtime}`);
  });
  // A database is created outside of transactions.
  for (const statement of create!.split(';\n')) await query(serverUrl(), statement);
  const created = new URL(serverUrl());
  created.pathname = `/${names.database}`;
  await query(created.href, 'ALTER SCHEMA public OWNER TO pg_database_owner');

  const { host } = new URL(serverUrl());
  const [exported, ...commands] = setUp!.split('\n');
  process.env['DATABASE_OWNER_URL'] = exported!.split('=')[1]!.replace('127.0.0.1', host);
  const printed: string[] = [];
  const terminal = { out: (line: string) => void printed.push(line), error: (line: string) => void printed.push(line) };
  const svc = (command: string): Promise<number> => {
    expect(command).toMatch(/^npx svc /);
    return run(command.split(' ').slice(2), terminal);
  };
  for (const command of commands) expect([await svc(command), printed.at(-1)]).toEqual([0, expect.any(String)]);
  expect(printed[1]).toContain('GRANT SELECT, INSERT ON "public".svc_events');
  expect(printed[2]).toContain('cannot change stored events');

  const url = `postgres://${names.runtime}:runtime-secret@${host}/${names.database}`;
  const storage = postgres({ url, separateRoles: true });
  await storage.commit(commitRecord({ events: [pendingRecord(newId())] }));
  await storage.close();
  await expect(query(url, 'DELETE FROM svc_events')).rejects.toThrow('permission denied');

  const [migrate] = deploy!.split(' && ');
  expect(await svc(migrate!)).toBe(0);
  expect(printed.at(-1)).toContain('is up to date');
});

/** A database with one role gets two, and the service continues as the runtime role. */
import { run } from '@svc/cli';
import { HealthStatus, newId, type Uuid } from '@svc/core';
import { commitRecord, pendingRecord, type PerspectiveDescriptor } from '@svc/core/testing';
import { postgres, type PostgresOptions, type PostgresStorage } from '@svc/postgres';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { note, notes, placed, startProgram, type Program } from '../migrations/notes.js';
import { place } from '../perspectives/perspective-shop.js';
import { query, serverUrl } from './test-database.js';
import { createTwoRoles, separate, type TwoRoles } from './two-roles.js';

let database: TwoRoles;
beforeEach(async () => {
  database = await createTwoRoles();
});
afterEach(() => database.remove());

async function svc(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const lines = { out: [] as string[], error: [] as string[] };
  const code = await run(args, { out: (line) => lines.out.push(line), error: (line) => lines.error.push(line) });
  return { code, out: lines.out.join('\n'), error: lines.error.join('\n') };
}

const asOwner = (...args: string[]) => svc(...args, '--database', database.owner.url);
const roles = (...args: string[]) => asOwner('database', 'roles', '--runtime', database.runtimeRole, ...args);

const start = (url: string, descriptor: PerspectiveDescriptor<object>): Promise<Program> =>
  startProgram(postgres({ url, pollMs: 100, leaseMs: 1_000 }), descriptor);

async function opened(url: string, options: Partial<PostgresOptions> = {}): Promise<PostgresStorage> {
  const storage = postgres({ url, ...options });
  onTestFinished(() => storage.close());
  await storage.open();
  return storage;
}

async function filled({ service }: Program, count: number): Promise<Uuid[]> {
  const orders = Array.from({ length: count }, () => newId());
  await Promise.all(orders.map((id, i) => place(service, `n${i % 7}`, id)));
  await service.idle();
  return orders;
}

/** The tables of perspectives, with their schema and owner. */
async function modelTables(): Promise<Set<string>> {
  const sql = `SELECT schemaname || ' ' || tableowner AS place FROM pg_tables WHERE tablename ~ '^svc_(perspective|sources|snapshots)_'`;
  return new Set((await database.owner.query(sql)).rows.map(({ place: where }: { place: string }) => where));
}

describe('svc database roles', () => {
  it('moves a database with models from one role to two, and the service rebuilds and migrates them as the runtime role', async () => {
    const owner = new URL(database.owner.url).username;
    const single = await start(database.owner.url, notes([placed]));
    const [first] = await filled(single, 30);
    const health = async ({ service }: Program) =>
      (await service.health.run(({ name }) => name === 'svc_relational_db')).entries[0];
    expect(await health(single)).toMatchObject({
      status: HealthStatus.Healthy,
      data: { roles: 'single', canChangeHistory: true },
    });
    expect(await modelTables()).toEqual(new Set([`public ${owner}`]));

    const running = await roles('--apply');
    expect([running.code, running.error]).toEqual([1, expect.stringContaining('Stop them first')]);
    await single.service.stop();
    const printed = await roles();
    expect([printed.code, printed.error]).toEqual([0, '']);
    expect(printed.out).toContain('SET SCHEMA "svc_models"');
    expect(await modelTables(), 'printing changes nothing').toEqual(new Set([`public ${owner}`]));
    const applied = await roles('--apply');
    expect([applied.code, applied.error]).toEqual([0, '']);
    expect(applied.out).toContain('Moved');
    expect(await modelTables()).toEqual(new Set([`svc_models ${database.runtimeRole}`]));

    const runtime = await start(database.url, notes([placed]));
    expect(await runtime.lens.find(first!)).toMatchObject({ placed: 1 });
    expect(await health(runtime)).toEqual(
      expect.objectContaining({ status: HealthStatus.Healthy, data: { roles: 'separate', canChangeHistory: false } }),
    );
    await place(runtime.service, 'later', first);
    await runtime.service.idle();
    await runtime.service.rebuildPerspective(runtime.perspective);
    expect(await runtime.lens.find(first!)).toMatchObject({ note: 'later', placed: 2 });
    // It can be applied again while hosts run.
    expect((await roles('--apply')).code).toBe(0);
    await runtime.service.stop();

    const copied = await start(database.url, notes([note, placed]));
    await copied.storage.migrations.idle();
    expect(await copied.lens.list({ where: { note: 'later' } })).toHaveLength(1);
    await copied.service.stop();
    const replayed = await start(database.url, notes([note, placed], 2));
    await replayed.storage.migrations.idle();
    await expect.poll(() => replayed.lens.find(first!)).toMatchObject({ loud: 'LATER' });
    expect([...single.reported, ...runtime.reported, ...copied.reported, ...replayed.reported]).toEqual([]);
    expect(await modelTables()).toEqual(new Set([`svc_models ${database.runtimeRole}`]));

    await expect(start(database.owner.url, notes([note, placed], 2))).rejects.toMatchObject({
      code: 'SVC_DATABASE_ROLE',
    });
    const rolledBack = await asOwner('migrate', 'rollback', 'perspective/OrderNotes');
    expect([rolledBack.code, rolledBack.error]).toEqual([1, expect.stringContaining('as the owner')]);
  });

  it('prints SQL that an administrator can execute, also to give the log to another owner', async () => {
    const old = new URL(database.owner.url).username;
    const storage = postgres({ url: database.owner.url });
    await storage.open();
    await storage.commit(commitRecord({ events: [pendingRecord(newId())] }));
    await storage.close();
    const newOwner = `${old}_owner`;
    const server = new URL(serverUrl());
    server.pathname = new URL(database.owner.url).pathname;
    await query(server.href, `CREATE ROLE ${newOwner} LOGIN`);
    onTestFinished(async () => void (await query(serverUrl(), `DROP ROLE ${newOwner}`)));
    // The hosts continue with the role that they have.
    const args = ['database', 'roles', '--database', server.href, '--owner', newOwner, '--runtime', old];
    const { code, out, error } = await svc(...args);
    expect([code, error]).toEqual([0, '']);
    await query(server.href, out);
    const runtime = await opened(database.owner.url, { separateRoles: true });
    await runtime.commit(commitRecord({ events: [pendingRecord(newId())] }));
    await expect(database.owner.query('DELETE FROM svc_events')).rejects.toThrow('permission denied');
    await expect(database.owner.query('DROP SCHEMA public CASCADE')).rejects.toThrow('must be owner');
    const again = JSON.parse((await svc(...args, '--apply', '--json')).out) as object;
    expect(again).toMatchObject({ owner: newOwner, runtime: old, models: 'svc_models', moved: [], isApplied: true });
    await runtime.close();
  });

  it('takes the rights of the previous runtime role', async () => {
    await separate(database);
    const other = `${database.runtimeRole}_2`;
    await query(serverUrl(), `CREATE ROLE ${other} LOGIN; GRANT ${other} TO ${new URL(database.owner.url).username}`);
    onTestFinished(async () => void (await query(serverUrl(), `DROP ROLE ${other}`)));
    const { code, error } = await asOwner('database', 'roles', '--runtime', other, '--apply');
    expect([code, error]).toEqual([0, '']);
    await expect(database.asRuntime('SELECT * FROM svc_events')).rejects.toThrow('permission denied');
  });

  it.each([
    ['the schema does not exist', []],
    ['no role is given', ['up']],
    ['both roles are the same', ['up', 'same']],
  ])('rejects a database if %s', async (what, steps) => {
    if (steps.includes('up')) expect((await asOwner('migrate', 'up')).code).toBe(0);
    const same = steps.includes('same') ? ['--runtime', new URL(database.owner.url).username] : [];
    const { code, error } = await asOwner('database', 'roles', ...same);
    const why = { 'no role is given': 'Pass --runtime', 'both roles are the same': 'cannot be both' }[what];
    expect([code, error]).toEqual([1, expect.stringContaining(why ?? 'Run svc migrate up')]);
  });

  it('rejects a role that can change history by other means, and tells the administrator what the owner may not do', async () => {
    expect((await asOwner('migrate', 'up')).code).toBe(0);
    const missing = await asOwner('database', 'roles', '--runtime', 'svc_no_such_role', '--apply');
    expect([missing.code, missing.error]).toEqual([1, expect.stringContaining('Nothing was changed')]);
    await query(serverUrl(), `ALTER ROLE ${database.runtimeRole} CREATEROLE REPLICATION`);
    const { code, error } = await roles('--apply');
    expect([code, error]).toEqual([1, expect.stringContaining('it may replicate the server')]);
    await expect(opened(database.url, { separateRoles: true })).rejects.toMatchObject({ code: 'SVC_DATABASE_ROLE' });
    const storage = await opened(database.url);
    expect(storage.connection.access?.()).toMatchObject({ roles: 'separate' });
  });

  it('has no meaning for a file', async () => {
    const { code, error } = await svc('database', 'roles', '--database', ':memory:', '--runtime', 'x');
    expect([code, error]).toEqual([2, expect.stringContaining('does not exist')]);
  });
});

describe('the runtime role at the start', () => {
  it('does not create a schema that is missing', async () => {
    await query(database.owner.url, 'REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    await expect(opened(database.url)).rejects.toMatchObject({
      code: 'SVC_SCHEMA_OUTDATED',
      message: expect.stringContaining('Run svc migrate up as the owner') as string,
    });
  });

  it('does not apply migrations that are missing; svc migrate up as the owner applies them and grants the rights', async () => {
    await separate(database);
    // As before the version that has processes.
    const sql = `DROP TABLE svc_processes; DELETE FROM svc_schema_migrations WHERE key = 'infrastructure/processes'`;
    await database.owner.query(sql);
    await expect(opened(database.url)).rejects.toMatchObject({
      code: 'SVC_SCHEMA_OUTDATED',
      message: expect.stringContaining('infrastructure/processes') as string,
    });
    const asRuntime = await svc('migrate', 'up', '--database', database.url);
    expect([asRuntime.code, asRuntime.error]).toEqual([1, expect.stringContaining('as the owner')]);
    process.env['DATABASE_OWNER_URL'] = database.owner.url;
    onTestFinished(() => void delete process.env['DATABASE_OWNER_URL']);
    expect(await svc('migrate', 'up')).toMatchObject({ code: 0, error: '' });
    const storage = await opened(database.url, { separateRoles: true });
    expect(await storage.processes.readInstances({ isOpen: false, after: null }, 1)).toEqual([]);
  });

  it('needs its search_path, which a backup does not contain', async () => {
    await separate(database);
    await database.asRuntime(
      `ALTER ROLE CURRENT_USER IN DATABASE ${new URL(database.url).pathname.slice(1)} RESET search_path`,
    );
    await expect(opened(database.url)).rejects.toMatchObject({
      code: 'SVC_DATABASE_ROLE',
      message: expect.stringContaining('search_path') as string,
    });
    expect((await asOwner('database', 'roles', '--apply')).code).toBe(0);
    await opened(database.url, { separateRoles: true });
  });

  it('refuses to archive, which the owner does', async () => {
    await separate(database);
    const storage = await opened(database.url);
    const file = { number: 1, name: 'f', sha256: '', events: 1, bytes: 1, firstSequence: 0, lastSequence: 0 };
    await expect(storage.archive.commitFile(file, [0])).rejects.toMatchObject({
      code: 'SVC_ARCHIVE_REFUSED',
      message: expect.stringContaining('as the owner') as string,
    });
  });

  it('is refused if separate roles are required and there is one', async () => {
    await expect(opened(database.owner.url, { separateRoles: true })).rejects.toMatchObject({
      code: 'SVC_DATABASE_ROLE',
      message: expect.stringContaining('it owns svc_events') as string,
    });
  });

  it('has rights on every table of the infrastructure', async () => {
    await separate(database);
    const sql = `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND NOT has_table_privilege('${database.runtimeRole}', oid, 'SELECT')`;
    expect((await database.owner.query(sql)).rows, 'add the table to packages/postgres/src/roles/rights.ts').toEqual(
      [],
    );
  });
});

import { run } from '@svc/cli';
import { createService } from '@svc/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDatabases, type TrialDatabase } from './databases.js';
import { customer, insertOrders, orders, tableItem } from './trial-tables.js';

const databases = useDatabases();

const registry = { messages: [], receptors: [], endpoints: [], openapi: { paths: {}, components: { schemas: {} } } };

async function svc(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const lines = { out: [] as string[], error: [] as string[] };
  const code = await run(['migrate', ...args], {
    out: (line) => lines.out.push(line),
    error: (line) => lines.error.push(line),
  });
  return { code, out: lines.out.join('\n'), error: lines.error.join('\n') };
}

describe.each(Object.keys(databases))('svc migrate on %s', (kind) => {
  let database: TrialDatabase;
  beforeEach(async () => {
    database = await databases[kind]!();
  });
  afterEach(() => database.remove());
  const at = (...args: string[]) => svc(...args, '--database', database.where);

  it('lists pending migrations, applies them, and lists the applied ones', async () => {
    if (kind === 'sqlite') {
      const { code, error } = await at('plan');
      expect([code, error]).toEqual([2, expect.stringContaining(`Database file ${database.where} does not exist.`)]);
    } else {
      const { code, out } = await at('plan');
      expect(code).toBe(0);
      expect(out).toContain('-- infrastructure/events: Applied for the first time.');
      expect(out).toContain('CREATE TABLE svc_events');
      expect(await database.query("SELECT to_regclass('svc_events') AS there")).toEqual([{ there: null }]);
    }
    const up = await at('up');
    expect([up.code, up.error]).toEqual([0, '']);
    expect(up.out).toContain('migrated infrastructure/events');
    expect((await at('up')).out).toContain('up to date');
    expect((await at('plan')).out).toContain('nothing to do');
    expect(JSON.parse((await at('plan', '--json')).out)).toMatchObject({ pending: [] });
    const status = await at('status');
    expect(status.code).toBe(0);
    expect(status.out).toMatch(
      /infrastructure\/outbox +Skipped +DirectDdl +0\.1\.0 .* Unchanged\. Last change: Applied for the first time\./,
    );
    const { items } = JSON.parse((await at('status', '--json')).out) as { items: Record<string, unknown>[] };
    expect(items.find(({ key }) => key === 'infrastructure/events')).toMatchObject({
      status: 'Skipped',
      statusCode: 3,
      failureReason: null,
    });
    expect(status.out + up.out).not.toMatch(/:[^/@\s]+@/);
  });

  it('leaves it to the next service start to emit the events of "up"', async () => {
    await at('up');
    const storage = database.storage();
    const service = createService(registry).useStorage(storage).addSystemEvents().start();
    await service.ready();
    await service.idle();
    const types: string[] = [];
    for await (const { type } of storage.readAll()) types.push(type);
    expect(types[0]).toBe('svc.MigrationBatchStarted');
    expect(types.at(-1)).toBe('svc.MigrationBatchCompleted');
    await service.stop();
  });

  it('works with a running service: reports a failure, and rolls a table back', async () => {
    const first = database.storage([tableItem(orders())]);
    await first.open();
    await insertOrders(database, 20);
    const storage = database.storage([tableItem(orders([customer]))]);
    await storage.open();
    await storage.migrations.idle();
    expect((await at('status')).out).toMatch(/perspective\/Orders +Updated +ColumnCopy/);
    const { code, out, error } = await at('rollback', 'perspective/Orders');
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain('Rolled back the last migration of perspective/Orders.');
    await expect(database.query('SELECT customer FROM svc_per_orders')).rejects.toThrow('customer');
    const again = await at('rollback', 'perspective/Orders');
    expect([again.code, again.error]).toEqual([1, expect.stringContaining('it has no backup')]);
    await database.query(
      "UPDATE svc_schema_migrations SET status = -1, failure_reason = 3, error = 'no number' WHERE key = 'perspective/Orders'",
    );
    const failed = await at('status');
    expect(failed.code).toBe(1);
    expect(failed.out).toMatch(/perspective\/Orders +Failed .*ColumnTypeMismatch: no number/);
  });
});

describe('svc migrate', () => {
  it.each([
    [['upp'], 'Unknown command "svc migrate upp".'],
    [['status', '--databse', 'x'], "Unknown option '--databse'"],
    [['status', 'more', '--database', 'x.db'], 'Unexpected argument "more" of status.'],
    [['status', '--database', 'mysql://x'], 'The database must be a postgres:// URL or a SQLite file.'],
    [['rollback', 'perspective/X', '--database', 'nowhere.db'], 'Database file nowhere.db does not exist.'],
  ])('%j is a usage error that names the mistake', async (args, message) => {
    const { code, error } = await svc(...args);
    expect(code).toBe(2);
    expect(error).toContain(message);
  });

  it('reports that a server is unreachable, without the password', async () => {
    const { code, out, error } = await svc('status', '--database', 'postgres://ann:hunter2@127.0.0.1:1/orders');
    expect(code).toBe(6);
    expect(out + error).not.toContain('hunter2');
    expect(error).toContain('The database cannot be reached.');
  });

  it('prints its help', async () => expect((await svc('--help')).out).toContain('rollback <key>'));
});

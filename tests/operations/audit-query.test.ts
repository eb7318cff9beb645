/** svc audit query: the audit on the command line of an operator. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { newId, type Service, type Uuid } from '@svc/core';
import { AuditReader, type AuditEntry, type AuditNode } from '@svc/core/hosting';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { ann, bob, pay, place, startShop } from './audited-shop.js';
import { emittedEvents } from './emitted.js';
import { svc } from './processes.js';

const databases = useDatabases();

interface Answer {
  readonly entries: readonly (Omit<AuditEntry, 'at'> & { readonly at: string })[];
  readonly next: string | null;
}

/** Makes the outbox reject writes, so that no record reaches the system stream. */
const fullOutbox: Readonly<Record<string, string>> = {
  sqlite: `CREATE TRIGGER full_outbox BEFORE INSERT ON svc_outbox BEGIN SELECT RAISE(ABORT, 'the outbox is full'); END`,
  postgres: `CREATE FUNCTION full_outbox() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the outbox is full'; END $$;
    CREATE TRIGGER full_outbox BEFORE INSERT ON svc_outbox FOR EACH ROW EXECUTE FUNCTION full_outbox()`,
};

describe.each(Object.keys(databases))('svc audit query on %s', (kind) => {
  let database: TrialDatabase;
  let service: Service;
  let annsOrder: Uuid;
  let bobsOrder: Uuid;
  beforeEach(async () => {
    database = await databases[kind]!();
    service = await startShop(database.storage());
    annsOrder = await place(service, ann, 'A customer called.');
    bobsOrder = await place(service, bob);
    await pay(service, bob, bobsOrder);
    await service.idle();
  });
  afterEach(async () => {
    await service.stop();
    await database.remove();
  });

  const query = (...args: string[]) => svc('audit', 'query', '--database', database.where, ...args);
  const json = async (...args: string[]): Promise<Answer> => {
    const { code, out, error } = await query(...args, '--json');
    expect([code, error]).toEqual([0, '']);
    return JSON.parse(out) as Answer;
  };
  /** The types that a query finds, without the records of the queries themselves. */
  const types = async (...args: string[]): Promise<string[]> =>
    (await json(...args)).entries.map(({ type }) => type).filter((type) => !type.startsWith('svc.'));

  it('shows who did what, when and why as a table, the newest first', async () => {
    const { code, out, error } = await query('--user', 'ann');
    expect([code, error]).toEqual([0, '']);
    const [heading, ...rows] = out.split('\n');
    expect(heading).toMatch(/^time +user +tenant +kind +type +result +level +about +correlation +reason$/);
    expect(rows).toHaveLength(2);
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
    const rowOf = (name: string): string => rows.find((row) => row.includes(` ${name} `))!;
    expect(rowOf('command')).toMatch(
      new RegExp(
        `^${time}  ann \\(Ann\\)  acme    command  shop.PlaceOrder   succeeded  Info   - .*  A customer called.$`,
      ),
    );
    expect(rowOf('event')).toMatch(
      new RegExp(`^${time}  ann \\(Ann\\)  acme    event    shop.OrderPlaced  succeeded  Info   ${annsOrder}@0  `),
    );
    expect(await types()).toHaveLength(6);
    const times = (await json()).entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('selects by tenant, user, type, stream, correlation, level and time', async () => {
    const all = await json('--oldest-first');
    const placed = all.entries.find(({ streamId }) => streamId === annsOrder)!;
    expect(await types('--tenant', 'acme')).toHaveLength(2);
    expect(await types('--user', 'bob')).toHaveLength(4);
    expect(await types('--type', 'shop.OrderPaid', '--type', 'shop.PayOrder')).toHaveLength(2);
    expect(await types('--stream', bobsOrder, '--oldest-first')).toEqual(['shop.OrderPlaced', 'shop.OrderPaid']);
    expect((await types('--correlation', placed.correlationId)).toSorted()).toEqual([
      'shop.OrderPlaced',
      'shop.PlaceOrder',
    ]);
    expect((await types('--level', 'Warning')).toSorted()).toEqual(['shop.OrderPaid', 'shop.PayOrder']);
    expect(await types('--level', 'Critical')).toEqual(['shop.PayOrder']);
    const later = new Date(Date.parse(placed.at) + 3_600_000).toISOString();
    expect(await types('--from', placed.at, '--to', later, '--user', 'ann')).toHaveLength(2);
    expect(await types('--from', later)).toEqual([]);
    const none = await query('--user', 'nobody');
    expect([none.code, none.out]).toEqual([0, expect.stringMatching(/: no records match\.$/)]);
  });

  it('continues after a page with its token, also across pages of the library', async () => {
    for (let i = 0; i < 130; i++) await place(service, ann);
    await service.idle();
    const first = await json('--user', 'ann', '--oldest-first', '--limit', '250');
    expect([first.entries.length, first.next]).toEqual([250, expect.any(String)]);
    const rest = await json('--user', 'ann', '--oldest-first', '--after', first.next!);
    expect(rest.next).toBeNull();
    const ids = [...first.entries, ...rest.entries].map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([262, 262]);
    const table = await query('--user', 'ann', '--limit', '1');
    expect(table.out).toMatch(/\n\nMore records: the same options with --after [\w-]+$/);
    const other = await query('--user', 'bob', '--oldest-first', '--after', first.next!);
    expect([other.code, other.error]).toEqual([2, expect.stringContaining('--after must be the next of an earlier')]);
  });

  it('shows what it has found so far when it is interrupted', async () => {
    const whole = AuditReader.prototype.query;
    // A page as of a search whose time is up, and Ctrl-C during it.
    vi.spyOn(AuditReader.prototype, 'query').mockImplementationOnce(function (this: AuditReader, given) {
      process.emit('SIGINT');
      return whole.call(this, { ...given, limit: 1 });
    });
    const { code, out, error } = await query('--user', 'bob', '--oldest-first');
    expect([code, error]).toEqual([5, 'Interrupted. The search is not complete.']);
    const [, token] = /^time .*\n.* bob .*\n\nMore records: the same options with --after ([\w-]+)$/.exec(out)!;
    expect((await json('--user', 'bob', '--oldest-first', '--after', token!)).entries).toHaveLength(3);
  });

  it('shows what a request caused as a tree', async () => {
    const { entries } = await json('--stream', annsOrder);
    const { correlationId } = entries[0]!;
    const { out } = await query('--trace', correlationId);
    expect(out).toMatch(/ shop\.PlaceOrder .*\n.* {3}shop\.OrderPlaced /);
    const tree = JSON.parse((await query('--trace', correlationId, '--json')).out) as {
      roots: AuditNode[];
      isComplete: boolean;
    };
    expect(tree).toMatchObject({
      correlation: correlationId,
      isComplete: true,
      roots: [{ entry: { type: 'shop.PlaceOrder' }, caused: [{ entry: { type: 'shop.OrderPlaced' }, caused: [] }] }],
    });
    expect((await query('--trace', newId())).out).toMatch(/: no records match\.$/);
  });

  it('is recorded with the operator and the options', async () => {
    await query('--user', 'ann', '--type', 'shop.OrderPlaced', '--from', '2026-01-01', '--as', 'olga');
    await query('--trace', annsOrder);
    const ofKind = async (type: string) =>
      (await emittedEvents(database.storage(), type)).filter((event) => event['kind'] === 'audit.query');
    await expect.poll(() => ofKind('OperationEnded'), { timeout: 30_000 }).toHaveLength(2);
    expect(await ofKind('OperationStarted')).toMatchObject([
      {
        requestedBy: 'olga',
        arguments: { user: 'ann', type: ['shop.OrderPlaced'], from: '2026-01-01', decrypted: false },
      },
      { requestedBy: userInfo().username, arguments: { trace: annsOrder, decrypted: false } },
    ]);
    expect(await ofKind('OperationEnded')).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }]);
    const { entries } = await json('--user', 'olga', '--oldest-first');
    expect(entries.map(({ type }) => type)).toEqual(['svc.OperationStarted', 'svc.OperationEnded']);
  });

  it.each([['--json'], ['--oldest-first'], ['--trace=0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d']])(
    'prints nothing if the query cannot be recorded (%s)',
    async (option) => {
      await database.query(fullOutbox[kind]!);
      const { code, out, error } = await query(option);
      expect([code, out, error]).toEqual([1, '', expect.stringContaining('Nothing was done: audit.query by ')]);
    },
  );

  it('shows that an operation failed, and why', async () => {
    const item = 'infrastructure/events';
    const rolledBack = await svc('migrate', 'rollback', item, '--database', database.where, '--as', 'olga');
    expect([rolledBack.code, rolledBack.error]).toEqual([1, expect.stringContaining('no backup')]);
    await expect
      .poll(async () => (await json('--user', 'olga', '--type', 'svc.OperationEnded')).entries)
      .toMatchObject([{ kind: 'failure', result: 'failed', reason: expect.stringContaining('no backup') as string }]);
  });

  it('prints recorded values without control characters, in one line each', async () => {
    const reason = 'ok\u001B[2J\u009B31m\u202Edesrever\n2026-01-01T00:00:00.000Z  mallory  forged';
    const mallory = { ...ann, scope: { ...ann.scope, userId: 'eve\u001B]0;title\u0007\r' } };
    await place(service, mallory, reason);
    await service.idle();
    for (const more of [['--json'], ['--oldest-first'], ['--oldest-first', '--limit', '1000']]) {
      const { out } = await query(...more);
      // oxlint-disable-next-line no-control-regex -- what must not reach a terminal
      expect(out).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2028\u2029]/);
      expect(out).not.toMatch(/^2026-01-01T/m);
    }
    const found = (await json('--type', 'shop.PlaceOrder')).entries.find((entry) => entry.reason === reason);
    expect(found).toMatchObject({ userId: mallory.scope.userId });
    expect((await query('--type', 'shop.PlaceOrder')).out).toContain(
      'ok\\u001b[2J\\u009b31m\\u202edesrever\\n2026-01-01T',
    );
  });

  it('reads the records of archived events from --archive', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-audit-archive-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const before = (await json('--user', 'ann')).entries;
    expect(before).toHaveLength(2);
    await service.idle();
    const archived = await svc(
      'archive',
      '--before',
      new Date().toISOString(),
      '--to',
      folder,
      '--database',
      database.where,
    );
    expect([archived.code, archived.out]).toEqual([0, expect.stringMatching(/Archived \d+ events/)]);
    const without = await query('--user', 'ann');
    expect([without.code, without.out, without.error]).toEqual([1, '', expect.stringContaining('archive')]);
    const { entries } = await json('--user', 'ann', '--archive', folder);
    // The type of a command is in its body, which is not read to describe a cause.
    const withoutCause = (entry: Answer['entries'][number]) => ({ ...entry, cause: null });
    expect(entries.map(withoutCause)).toEqual(before.map(withoutCause));
  });

  it('shortens long values in the table only', async () => {
    const reason = 'x'.repeat(500);
    await place(service, ann, reason);
    await service.idle();
    const { out } = await query('--type', 'shop.PlaceOrder', '--limit', '2');
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(400);
    expect((await json('--type', 'shop.PlaceOrder')).entries.map((entry) => entry.reason)).toContain(reason);
  });
});

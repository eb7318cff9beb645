/** Commands that change the database themselves, or show private data: the system stream names the operator, or nothing is done. */
import { userInfo } from 'node:os';
import { newId, type Service, type Uuid } from '@svc/core';
import { type MigratingStorage, type OperationStorage } from '@svc/core/storage';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../deploy/wait-for.js';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { customer, insertOrders, orders, tableItem } from '../migrations/trial-tables.js';
import { svc } from './processes.js';
import { emittedEvents } from './emitted.js';
import { gated, startTrial } from './trial-service.mjs';

const databases = useDatabases();

type Operated = MigratingStorage & { readonly operations: OperationStorage };

const notRecorded = 'Nothing was done: ';

/** Makes the outbox reject writes, so that no record reaches the system stream. */
const writeBlocks: Readonly<Record<string, { readonly begin: string; readonly end: string }>> = {
  sqlite: {
    begin: `CREATE TRIGGER full_outbox BEFORE INSERT ON svc_outbox BEGIN SELECT RAISE(ABORT, 'the outbox is full'); END`,
    end: 'DROP TRIGGER full_outbox',
  },
  postgres: {
    begin: `CREATE FUNCTION full_outbox() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the outbox is full'; END $$;
      CREATE TRIGGER full_outbox BEFORE INSERT ON svc_outbox FOR EACH ROW EXECUTE FUNCTION full_outbox()`,
    end: 'DROP TRIGGER full_outbox ON svc_outbox; DROP FUNCTION full_outbox',
  },
};

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  let storage: Operated;
  let services: Service[];
  beforeEach(async () => {
    [services, database] = [[], await databases[kind]!()];
    storage = database.storage() as Operated;
    await storage.open();
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await database.remove();
  });

  const at = (...args: string[]) => svc(...args, '--database', database.where);
  const start = async (from = database.storage(), isFixed = true): Promise<Service> => {
    const service = await startTrial(from, { isFixed });
    services.push(service);
    return service;
  };
  /** The records of one command, once the service has delivered them. */
  const recordsOf = async (command: string): Promise<Record<string, unknown>[]> => {
    const all = await Promise.all([
      emittedEvents(storage, 'OperationStarted'),
      emittedEvents(storage, 'OperationEnded'),
    ]);
    return all.flat().filter((record) => record['kind'] === command);
  };

  describe('svc migrate rollback', () => {
    const isMigrated = async (): Promise<boolean> =>
      (await storage.migrations.records()).some(({ key, backup }) => key === 'perspective/Orders' && backup !== null);
    beforeEach(async () => {
      await database.storage([tableItem(orders())]).open();
      await insertOrders(database, 5);
      const next = database.storage([tableItem(orders([customer]))]);
      await next.open();
      await next.migrations.idle();
    });

    it('is recorded with the operator, the migration and its outcome', async () => {
      expect((await at('migrate', 'rollback', 'perspective/Orders', '--as', 'ann')).code).toBe(0);
      const again = await at('migrate', 'rollback', 'perspective/Orders');
      expect([again.code, again.error]).toEqual([1, expect.stringContaining('it has no backup')]);
      await start();
      await expect.poll(() => recordsOf('migrate.rollback')).toHaveLength(4);
      const [first, second, done, failed] = await recordsOf('migrate.rollback');
      expect(first).toMatchObject({ target: 'perspective/Orders', requestedBy: 'ann', arguments: {}, attempt: 1 });
      expect(done).toMatchObject({ operationId: first!['operationId'], requestedBy: 'ann', outcome: 'done' });
      expect(second).toMatchObject({ target: 'perspective/Orders', requestedBy: userInfo().username });
      expect(failed).toMatchObject({
        operationId: second!['operationId'],
        outcome: 'failed',
        error: expect.stringContaining('it has no backup') as string,
      });
    });

    it('changes nothing when the record cannot be written, and reports it', async () => {
      await database.query(writeBlocks[kind]!.begin);
      const { code, error, out } = await at('migrate', 'rollback', 'perspective/Orders');
      expect([code, out, error]).toEqual([1, '', expect.stringContaining(notRecorded)]);
      expect(error).toContain('migrate.rollback');
      expect(error).toContain('the outbox is full');
      expect(await isMigrated()).toBe(true);
      await database.query(writeBlocks[kind]!.end);
      expect((await at('migrate', 'rollback', 'perspective/Orders')).code).toBe(0);
      expect(await isMigrated()).toBe(false);
    });

    it('does not migrate the schema in order to record', async () => {
      await database.query('DROP TABLE svc_operations');
      await database.query("DELETE FROM svc_schema_migrations WHERE key = 'infrastructure/operations'");
      const { code, error } = await at('migrate', 'rollback', 'perspective/Orders');
      expect([code, error]).toEqual([1, expect.stringContaining('infrastructure/operations')]);
      expect(await isMigrated()).toBe(true);
    });
  });

  describe('svc perspectives cancel', () => {
    const requested = { kind: 'perspectives.rebuild', target: 'Tallies', arguments: {}, requestedBy: 'ann' } as const;
    const ask = async (): Promise<Uuid> => {
      const id = newId();
      await storage.operations.ask({ id, ...requested }, { waitMs: 60_000, isAlone: false });
      return id;
    };

    it('is recorded with the operator who cancelled, next to the end of the request of ann', async () => {
      const { gate, storage: held } = gated(database.storage());
      await start(held);
      await storage.commit(commitRecord({ events: [counted('plain')] }));
      gate.hold();
      const id = await ask();
      await waitFor(async () => (await storage.operations.find(id))!.progress !== null, 'a host runs it');
      const cancelled = await at('perspectives', 'cancel', id, '--as', 'bob').finally(gate.go);
      expect([cancelled.code, cancelled.error]).toEqual([0, '']);
      await expect.poll(() => recordsOf('perspectives.cancel')).toHaveLength(2);
      expect(await recordsOf('perspectives.cancel')).toMatchObject([
        { target: 'Tallies', requestedBy: 'bob', arguments: { request: id } },
        { target: 'Tallies', requestedBy: 'bob', outcome: 'done' },
      ]);
      await expect
        .poll(() => emittedEvents(storage, 'OperationEnded'))
        .toContainEqual(expect.objectContaining({ operationId: id, requestedBy: 'ann', outcome: 'cancelled' }));
    });

    it('cancels nothing when the record cannot be written, and reports it', async () => {
      const id = await ask();
      await database.query(writeBlocks[kind]!.begin);
      const { code, error } = await at('perspectives', 'cancel', id);
      expect([code, error]).toEqual([1, expect.stringContaining(notRecorded)]);
      expect(await storage.operations.find(id)).toMatchObject({ state: 'waiting' });
      await database.query(writeBlocks[kind]!.end);
      expect((await at('perspectives', 'cancel', id)).code).toBe(0);
      expect(await storage.operations.find(id)).toMatchObject({ state: 'cancelled' });
    });
  });

  describe('svc dead-letters show', () => {
    let id: string;
    beforeEach(async () => {
      const event = counted('refused 4111-1111');
      const message = { id: newId(), lane: 'transport', destination: 'trial', message: null, note: null } as const;
      await storage.commit(commitRecord({ events: [event], outgoing: [{ ...message, eventId: event.id }] }));
      await start(database.storage(), false);
      id = await waitFor(async () => (await storage.readDeadLetters(null, 1))[0]?.id, 'the message is a dead letter');
    });

    it('is recorded with the operator and the dead letter, and without its body', async () => {
      const shown = await at('dead-letters', 'show', id, '--as', 'bob');
      expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('4111-1111')]);
      await expect.poll(() => recordsOf('dead-letters.show')).toHaveLength(2);
      const records = await recordsOf('dead-letters.show');
      expect(records).toMatchObject([
        { requestedBy: 'bob', arguments: { deadLetter: id }, attempt: 1 },
        { requestedBy: 'bob', outcome: 'done' },
      ]);
      expect(JSON.stringify(records)).not.toContain('4111-1111');
    });

    it.each([[[]], [['--json']]])(
      'shows nothing when the record cannot be written, and reports it %j',
      async (more) => {
        await database.query(writeBlocks[kind]!.begin);
        const { code, out, error } = await at('dead-letters', 'show', id, ...more);
        await database.query(writeBlocks[kind]!.end);
        expect([code, out, error]).toEqual([1, '', expect.stringContaining(notRecorded)]);
        expect(error).not.toContain('4111-1111');
      },
    );

    it('of one that does not exist is an error without a record', async () => {
      const { code, error } = await at('dead-letters', 'show', newId());
      expect([code, error]).toEqual([1, expect.stringContaining('does not exist')]);
      const rows = await database.query(
        "SELECT 1 FROM svc_outbox WHERE CAST(message AS text) LIKE '%dead-letters.show%'",
      );
      expect([rows, await recordsOf('dead-letters.show')]).toEqual([[], []]);
    });
  });
});

function counted(note: string) {
  return pendingRecord(newId(), { type: 'trial.Counted', body: JSON.stringify({ note }) });
}

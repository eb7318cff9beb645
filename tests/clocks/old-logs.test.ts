/** Logs from before ids followed causality: in a stream, the order of positions counts. */
import { createHash } from 'node:crypto';
import {
  MigrationItemCompleted,
  MigrationItemStarted,
  MigrationStatus,
  newId,
  RebuildMode,
  SystemEventStream,
  type Service,
  type Uuid,
} from '@svc/core';
import { afterEach, describe, expect, it } from 'vitest';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { collect } from '../system-events/shop.js';
import { NoteTrace, OrderTrace, shopWith, traces } from '../perspectives/perspective-shop.js';

const databases = useDatabases();

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  afterEach(() => database.remove());

  /** An event that the storage would reject. */
  function rowOf(sequence: number, streamId: Uuid, position: number, id: Uuid, metadata = '{}'): string {
    const timestamp = kind === 'sqlite' ? '0' : 'now()';
    return `(${sequence}, '${id}', '${streamId}', ${position}, 'shop.OrderPlaced', '{"note":"x"}', ${timestamp}, '${id}', '${metadata}')`;
  }

  /** Ids of a log that contradict its positions, in the order in which models of one stream and of all streams take them. */
  async function insertLog(): Promise<{ stream: Uuid; ofStream: Uuid[]; ofAll: Uuid[] }> {
    const storage = database.storage();
    await storage.open();
    await storage.close();
    const [stream, other] = [newId(), newId()];
    const [a, b, c, d, e] = Array.from({ length: 5 }, () => newId()) as [Uuid, Uuid, Uuid, Uuid, Uuid];
    const rows = [
      rowOf(1, stream, 0, d),
      rowOf(2, stream, 1, b),
      rowOf(3, other, 0, a),
      // From another database, behind c and before d.
      rowOf(4, stream, 2, c, '{"origin":"elsewhere"}'),
      rowOf(5, stream, 3, e),
    ];
    // In one transaction: a reader that saw a part of them would rewind.
    await database.query(
      `INSERT INTO svc_events (sequence, id, stream_id, position, type, body, timestamp, correlation_id, metadata)
       VALUES ${rows.join(', ')}`,
    );
    return { stream, ofStream: [d, b, c, e], ofAll: [d, b, a, c, e] };
  }

  async function started(): Promise<Service> {
    const service = shopWith(traces, database.storage()).start();
    await service.ready();
    return service;
  }

  const systemEvents = async (service: Service): Promise<object[]> =>
    (await collect(service.eventStore.readStream(SystemEventStream.streamId))).map(({ envelope }) => envelope.payload);

  it('applies the events of a stream by position where ids contradict it, and received ones by id', async () => {
    database = await databases[kind]!();
    const { stream, ofStream, ofAll } = await insertLog();
    const service = await started();
    for (const rebuild of [
      () => service.idle(),
      () => service.rebuildPerspective(OrderTrace),
      () => service.rebuildPerspective(NoteTrace, { mode: RebuildMode.InPlace }),
      () => service.rebuildPerspective(OrderTrace, { streams: [stream] }),
    ]) {
      await rebuild();
      expect(await service.lens(OrderTrace).find(stream)).toEqual({ ids: ofStream });
      expect(await service.lens(NoteTrace).find('x')).toEqual({ ids: ofAll });
    }
    const emitted = (await systemEvents(service)).map((event) => event.constructor.name);
    expect(emitted.filter((name) => name.includes('Rewind'))).toEqual([]);
    await service.stop();
  });

  /** Leaves models as the program before the order of the log left them: in the order of ids, and of its version. */
  async function downgrade(key: string, table: string): Promise<void> {
    const [record] = await database.query(`SELECT definition FROM svc_schema_migrations WHERE key = '${key}'`);
    const definition = JSON.stringify({ ...(JSON.parse(record!['definition'] as string) as object), version: '1.1' });
    const hash = `sha256:${createHash('sha256').update(definition).digest('hex')}`;
    await database.query(
      `UPDATE svc_schema_migrations SET definition = '${definition}', hash = '${hash}' WHERE key = '${key}'`,
    );
    for (const { id, body } of await database.query(`SELECT id, body FROM ${table}`)) {
      const { ids } = (typeof body === 'string' ? JSON.parse(body) : body) as unknown as { ids: Uuid[] };
      await database.query(
        `UPDATE ${table} SET body = '${JSON.stringify({ ids: ids.toSorted() })}' WHERE id = '${String(id)}'`,
      );
    }
  }

  it('rebuilds models with a migration item after the upgrade, and emits its events', async () => {
    database = await databases[kind]!();
    const { stream, ofStream, ofAll } = await insertLog();
    const first = await started();
    await first.idle();
    await first.stop();
    const keys = ['perspective/OrderTrace', 'perspective/NoteTrace'];
    await downgrade(keys[0]!, 'svc_perspective_order_trace');
    await downgrade(keys[1]!, 'svc_perspective_note_trace');

    const service = await started();
    await expect.poll(() => service.lens(OrderTrace).find(stream), { timeout: 20_000 }).toEqual({ ids: ofStream });
    await expect.poll(() => service.lens(NoteTrace).find('x'), { timeout: 20_000 }).toEqual({ ids: ofAll });
    for (const migrationKey of keys) {
      const isReplayed = async (): Promise<boolean> => {
        const events = await systemEvents(service);
        const isReplay = (event: object): boolean =>
          event instanceof MigrationItemStarted &&
          event.migrationKey === migrationKey &&
          event.strategy === 'EventReplay';
        const isUpdate = (event: object): boolean =>
          event instanceof MigrationItemCompleted &&
          event.migrationKey === migrationKey &&
          event.status === MigrationStatus.Updated;
        const replayed = events.findIndex(isReplay);
        return replayed !== -1 && events.slice(replayed).some(isUpdate);
      };
      await expect.poll(isReplayed, { timeout: 20_000 }).toBe(true);
    }
    await service.stop();
  });
});

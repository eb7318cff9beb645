/** Logs from before ids followed causality: in a stream, the order of positions counts. */
import { newId, RebuildMode, SystemEventStream, type Uuid } from '@svc/core';
import { afterEach, describe, expect, it } from 'vitest';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { collect } from '../system-events/shop.js';
import { NoteTrace, OrderTrace, shopWith, traces } from '../perspectives/perspective-shop.js';

const databases = useDatabases();

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  afterEach(() => database.remove());

  /** Past the storage, which would not take it. */
  async function insert(sequence: number, streamId: Uuid, position: number, id: Uuid, metadata = '{}'): Promise<void> {
    const timestamp = kind === 'sqlite' ? '0' : 'now()';
    await database.query(
      `INSERT INTO svc_events (sequence, id, stream_id, position, type, body, timestamp, correlation_id, metadata)
       VALUES (${sequence}, '${id}', '${streamId}', ${position}, 'shop.OrderPlaced', '{"note":"x"}', ${timestamp}, '${id}', '${metadata}')`,
    );
  }

  it('has models take the events of a stream by position where ids contradict it, and received ones by id', async () => {
    database = await databases[kind]!();
    const first = database.storage();
    await first.open?.();
    await first.close?.();
    const [stream, other] = [newId(), newId()];
    const [a, b, c, d, e] = Array.from({ length: 5 }, () => newId()) as [Uuid, Uuid, Uuid, Uuid, Uuid];
    await insert(1, stream, 0, d);
    await insert(2, stream, 1, b);
    await insert(3, other, 0, a);
    // From another database, behind c and before d.
    await insert(4, stream, 2, c, '{"origin":"elsewhere"}');
    await insert(5, stream, 3, e);
    const service = shopWith(traces, database.storage()).start();
    await service.ready();
    for (const rebuild of [
      () => service.idle(),
      () => service.rebuildPerspective(OrderTrace),
      () => service.rebuildPerspective(NoteTrace, { mode: RebuildMode.InPlace }),
      () => service.rebuildPerspective(OrderTrace, { streams: [stream] }),
    ]) {
      await rebuild();
      expect(await service.lens(OrderTrace).find(stream)).toEqual({ ids: [d, b, c, e] });
      expect(await service.lens(NoteTrace).find('x')).toEqual({ ids: [d, b, a, c, e] });
    }
    const told = await collect(service.eventStore.readStream(SystemEventStream.streamId));
    expect(told.filter(({ envelope }) => envelope.type.includes('Rewind'))).toEqual([]);
    await service.stop();
  });
});

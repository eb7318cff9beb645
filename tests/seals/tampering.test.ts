/** What the owner of a database can do to a sealed log, and how it is found. */
import type { Service } from '@svc/core';
import type { AnchoredCheckpoint, CheckpointAnchor } from '@svc/core/hosting';
import { publicSealKey, type Verification } from '@svc/core/hosting';
import type { StoredRecord } from '@svc/core/storage';
import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  allSealed,
  describeDatabases,
  newKey,
  place,
  recordsOf,
  sealingShop,
  verified,
  type OwnedStore,
} from './sealed-shop.js';

interface Sealed {
  readonly store: OwnedStore;
  readonly key: string;
  readonly anchored: readonly AnchoredCheckpoint[];
  /** The application's own events. */
  readonly orders: readonly StoredRecord[];
  readonly records: readonly StoredRecord[];
}

const memoryAnchor = (stored: AnchoredCheckpoint[], withEntries = true): CheckpointAnchor => ({
  name: 'memory',
  store({ checkpoint, entries }) {
    stored.push({ checkpoint, ...(withEntries && { entries: entries! }) });
    return Promise.resolve();
  },
});

/** A stopped service whose orders are in several checkpoints. */
async function sealedLog(store: OwnedStore, withEntries = true): Promise<Sealed> {
  const key = newKey();
  const anchored: AnchoredCheckpoint[] = [];
  const storage = store.open();
  const service = await sealingShop(storage, { keys: [key], anchors: [memoryAnchor(anchored, withEntries)] });
  await placeInBatches(service, storage);
  await expect.poll(async () => anchored.length, { timeout: 10_000 }).toBe((await storage.seals.readLast())!.number);
  const reports = async (): Promise<number> =>
    (await recordsOf(storage)).filter(({ type }) => type === 'svc.LogSealed').length;
  await expect.poll(reports, { timeout: 10_000 }).toBe(anchored.length);
  const records = await recordsOf(storage);
  await service.stop();
  return { store, key, anchored, records, orders: records.filter(({ type }) => type === 'shop.OrderPlaced') };
}

async function placeInBatches(service: Service, storage: Parameters<typeof allSealed>[0], prefix = ''): Promise<void> {
  for (let batch = 0; batch < 3; batch++) {
    for (let i = 0; i < 4; i++) await place(service, `${prefix}order ${batch}.${i}`);
    await service.idle();
    await allSealed(storage);
  }
}

/** Removes all seals and their reports from a log, as if it had never been sealed. */
const withoutSeals = `DELETE FROM svc_seals; DELETE FROM svc_seal_anchors; DELETE FROM svc_events WHERE type = 'svc.LogSealed'`;

const indexIn = (records: readonly StoredRecord[], { id }: StoredRecord): number =>
  records.findIndex((record) => record.id === id);

describeDatabases((fresh, name) => {
  const isPostgres = name === 'PostgreSQL';
  const found = async (store: OwnedStore, options = {}): Promise<Verification['finding']> =>
    (await verified(store, options)).finding;

  it('proves an unchanged log, and counts what is not sealed', async () => {
    const { store, anchored, records, key } = await sealedLog(await fresh());
    const result = await verified(store, { anchored, keys: [publicSealKey(createPublicKey(key))] });
    expect(result.finding).toBeNull();
    expect(result.isPinned).toBe(true);
    expect(result.checkpoints).toBe(anchored.length);
    expect(result.events + result.unsealed!).toBe(records.length);
    expect(result.anchored).toBe(anchored.length);
    expect((await verified(store)).isPinned).toBe(false);
  });

  describe('locates the event', () => {
    const cases: [kind: string, tamper: (events: readonly StoredRecord[]) => string, bad?: number][] = [
      ['changed-body', ([, , , , , e]) => `UPDATE svc_events SET body = '{"note":"forged"}' WHERE id = '${e!.id}'`],
      [
        'changed-metadata',
        ([, , , , , e]) => `UPDATE svc_events SET scope = '{"userId":"mallory"}' WHERE id = '${e!.id}'`,
      ],
      ['changed-metadata', ([, , , , , e]) => `UPDATE svc_events SET metadata = '{"a":1}' WHERE id = '${e!.id}'`],
      ['changed-metadata', ([, , , , , e]) => `UPDATE svc_events SET type = 'shop.OrderPaid' WHERE id = '${e!.id}'`],
      [
        'changed-metadata',
        ([, , , , , e]) =>
          isPostgres
            ? `UPDATE svc_events SET timestamp = timestamp + interval '1 ms' WHERE id = '${e!.id}'`
            : `UPDATE svc_events SET timestamp = timestamp + 1 WHERE id = '${e!.id}'`,
      ],
      ['removed-event', ([, , , , , e]) => `DELETE FROM svc_events WHERE id = '${e!.id}'`],
      [
        'swapped-order',
        ([, , , , , a, b]) => {
          const swap = (column: string, of: StoredRecord, to: string): string =>
            `UPDATE svc_events SET ${column} = ${to} WHERE id = '${of.id}'`;
          const own = [
            swap('sequence', a!, '-7'),
            swap('sequence', b!, String(a!.sequence)),
            swap('sequence', a!, String(b!.sequence)),
          ];
          const ids = isPostgres
            ? [swap('transaction_id', a!, `'${b!.transaction}'`), swap('transaction_id', b!, `'${a!.transaction}'`)]
            : [];
          return [...own, ...ids].join(';');
        },
      ],
    ];

    it('of a body, properties, a removed event and a swapped order', async () => {
      const { store, orders, records } = await sealedLog(await fresh());
      await store.tamper('CREATE TABLE original AS SELECT * FROM svc_events');
      const bad = orders[5]!;
      for (const [kind, tamper] of cases) {
        await store.tamper(tamper(orders));
        const expected = { kind, eventId: bad.id, index: indexIn(records, bad) };
        expect({ case: kind, ...(await found(store)) }).toMatchObject(expected);
        await store.tamper('DELETE FROM svc_events; INSERT INTO svc_events SELECT * FROM original');
        expect(await found(store)).toBeNull();
      }
    });

    it('inserted-event', async () => {
      const { store, orders, records } = await sealedLog(await fresh());
      const [before, id] = [orders[5]!, '01900000-0000-7000-8000-000000000001'];
      const more = isPostgres ? `, transaction_id` : '';
      const columns = `id, stream_id, position, type, body, timestamp, correlation_id, causation_id, scope, metadata${more}`;
      // Between two events: on PostgreSQL by the transaction, on SQLite where all later events were moved by one.
      const own = 'type, body, timestamp, correlation_id, causation_id, scope, metadata';
      const insert = (sequence: number, moreValues: string): string =>
        `INSERT INTO svc_events (sequence, ${columns}) SELECT ${sequence}, '${id}', '${id}', 0, ${own}${moreValues} FROM svc_events WHERE id = '${before.id}'`;
      const { sequence } = before;
      await store.tamper(
        isPostgres
          ? insert(900_000, ', transaction_id')
          : `UPDATE svc_events SET sequence = sequence + 1000000 WHERE sequence > ${sequence};
             UPDATE svc_events SET sequence = sequence - 999999 WHERE sequence > 1000000; ${insert(sequence + 1, '')}`,
      );
      expect(await found(store)).toMatchObject({
        kind: 'inserted-event',
        eventId: id,
        index: indexIn(records, before) + 1,
      });
      await store.tamper(
        `UPDATE svc_events SET sequence = -5${isPostgres ? ", transaction_id = '0'" : ''} WHERE id = '${id}'`,
      );
      expect(await found(store), 'where readers of the log do not look').toMatchObject({
        kind: 'inserted-event',
        eventId: id,
        index: 0,
      });
    });

    it.runIf(!isPostgres)('an event that can no longer be read', async () => {
      const { store, orders, records } = await sealedLog(await fresh());
      await store.tamper(`UPDATE svc_events SET metadata = 'x' WHERE id = '${orders[5]!.id}'`);
      expect(await found(store)).toMatchObject({
        kind: 'changed-metadata',
        eventId: orders[5]!.id,
        index: indexIn(records, orders[5]!),
      });
    });

    it('a removed last event of a checkpoint, and the first event of the log', async () => {
      for (const at of [0, -1]) {
        const { store, records, anchored } = await sealedLog(await fresh());
        const sizes = anchored.map(({ checkpoint }) => (JSON.parse(checkpoint) as { size: number }).size);
        const bad = records[at === 0 ? 0 : sizes[1]! - 1]!;
        await store.tamper(`DELETE FROM svc_events WHERE id = '${bad.id}'`);
        const finding = await found(store);
        // Without the event, an audit record that refers to it is not as it was sealed either; it follows.
        expect(finding).toMatchObject({ kind: 'removed-event', eventId: bad.id });
      }
    });

    it('an event that was moved to another checkpoint', async () => {
      const { store, orders } = await sealedLog(await fresh());
      const last = isPostgres
        ? ', transaction_id = (SELECT max(transaction_id::text::bigint)::text::xid8 FROM svc_events)'
        : '';
      await store.tamper(`UPDATE svc_events SET sequence = 800000${last} WHERE id = '${orders[1]!.id}'`);
      expect(await found(store)).toMatchObject({ kind: 'swapped-order', eventId: orders[1]!.id });
    });
  });

  it('finds seals that were changed or removed', async () => {
    const { store, anchored } = await sealedLog(await fresh());
    await store.tamper('DELETE FROM svc_seals WHERE number = 2');
    expect(await found(store)).toMatchObject({ kind: 'removed-seal', checkpoint: 2 });

    const tail = await sealedLog(await fresh());
    await tail.store.tamper(`DELETE FROM svc_seals WHERE number >= ${tail.anchored.length}`);
    expect(await found(tail.store)).toMatchObject({ kind: 'removed-seal', checkpoint: tail.anchored.length });

    const entries = await sealedLog(await fresh());
    const indexOf = (order: StoredRecord): number => indexIn(entries.records, order);
    const bad = entries.orders.find((order) => indexOf(order) >= sizeOf(entries.anchored[0]!))!;
    // The checkpoint that covers it.
    const number = entries.anchored.findIndex((one) => sizeOf(one) > indexOf(bad)) + 1;
    await entries.store.tamper(
      `UPDATE svc_seals SET entries = (SELECT entries FROM svc_seals WHERE number = 1) WHERE number = ${number}`,
    );
    expect(await found(entries.store)).toMatchObject({ kind: 'changed-seal', checkpoint: number });
    // Also if the events of that checkpoint were changed; then the anchor names the event.
    await entries.store.tamper(`UPDATE svc_events SET body = '{"note":"forged"}' WHERE id = '${bad.id}'`);
    expect(await found(entries.store)).toMatchObject({ kind: 'changed-seal', checkpoint: number });
    expect(await found(entries.store, { anchored: entries.anchored })).toMatchObject({
      kind: 'changed-body',
      eventId: bad.id,
    });
    expect(anchored.length).toBeGreaterThan(2);
  });

  it('finds a truncated tail by an anchor', async () => {
    const { store, anchored, records } = await sealedLog(await fresh());
    const size = sizeOf(anchored[0]!);
    const gone = records.slice(size).map(({ id }) => `'${id}'`);
    await store.tamper(
      `DELETE FROM svc_seals WHERE number > 1; DELETE FROM svc_events WHERE id IN (${gone.join(', ')})`,
    );
    expect(await found(store)).toBeNull();
    expect(await found(store, { anchored })).toMatchObject({
      kind: 'truncated-tail',
      eventId: records[size]!.id,
      index: size,
      checkpoint: 2,
    });
    const withoutEntries = anchored.map(({ checkpoint }) => ({ checkpoint }));
    expect(await found(store, { anchored: withoutEntries })).toMatchObject({ kind: 'truncated-tail', index: size });
  });

  it('finds a log that was rewritten and sealed again, by an anchor or a trusted key', async () => {
    const { store, key, anchored, orders } = await sealedLog(await fresh());
    await store.tamper(
      `UPDATE svc_events SET body = '{"note":"forged"}' WHERE id = '${orders[5]!.id}'; ${withoutSeals}`,
    );
    const storage = store.open();
    const forger = await sealingShop(storage, { keys: [newKey()] });
    await allSealed(storage);
    await forger.stop();
    expect(await found(store)).toBeNull();
    const trusted = publicSealKey(createPublicKey(key));
    expect(await found(store, { keys: [trusted] })).toMatchObject({ kind: 'unknown-key', checkpoint: 1 });
    expect(await found(store, { anchored })).toMatchObject({ kind: 'rewritten-history', checkpoint: 1 });
  });

  it('names the event of a history that a thief of the key has rewritten, if the anchor has entries', async () => {
    const { store, key, anchored, orders, records } = await sealedLog(await fresh());
    const bad = orders.find((order) => indexIn(records, order) >= sizeOf(anchored[0]!))!;
    // The checkpoint that covers it: it and what follows are sealed again.
    const number = anchored.findIndex((one) => sizeOf(one) > indexIn(records, bad)) + 1;
    const first = sizeOf(anchored[number - 2]!);
    const reports = records.filter(({ type, body }) => type === 'svc.LogSealed' && numberOf(body) >= number);
    const ids = reports.map(({ id }) => `'${id}'`).join(', ');
    const forged = `UPDATE svc_events SET body = '{"note":"forged"}' WHERE id = '${bad.id}'`;
    await store.tamper(
      `${forged}; DELETE FROM svc_seals WHERE number >= ${number}; DELETE FROM svc_events WHERE id IN (${ids})`,
    );
    const storage = store.open();
    const forger = await sealingShop(storage, { keys: [key] });
    await allSealed(storage);
    await forger.stop();
    expect(await found(store, { keys: [publicSealKey(createPublicKey(key))] })).toBeNull();
    expect(await found(store, { anchored })).toMatchObject({
      kind: 'rewritten-history',
      checkpoint: number,
      eventId: bad.id,
      index: indexIn(records, bad),
    });
    const withoutEntries = anchored.map(({ checkpoint }) => ({ checkpoint }));
    expect(await found(store, { anchored: withoutEntries })).toMatchObject({
      kind: 'rewritten-history',
      checkpoint: number,
      index: first,
    });
  });
});

function sizeOf({ checkpoint }: AnchoredCheckpoint): number {
  return (JSON.parse(checkpoint) as { size: number }).size;
}

function numberOf(body: string): number {
  return (JSON.parse(body) as { number: number }).number;
}

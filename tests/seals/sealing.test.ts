/** What sealing promises: every event, once, by one host, without forks; keys; anchors. */
import { createPublicKey } from 'node:crypto';
import { createService, InMemoryStorage, SystemEventStream, type Service } from '@svc/core';
import {
  around,
  publicSealKey,
  sealedLogOf,
  verifySeals,
  type AnchoredCheckpoint,
  type CheckpointAnchor,
  type HealthEntry,
} from '@svc/core/hosting';
import type { SealRecord, Storage } from '@svc/core/storage';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { shopRegistry } from '../system-events/shop.js';
import { allSealed, newKey, place, recordsOf, sealingShop } from './sealed-shop.js';

const checkpointOf = ({ checkpoint }: { readonly checkpoint: string }) =>
  JSON.parse(checkpoint) as { number: number; key: string; keys: { id: string }[]; predecessor: string | null };

const publicKey = (key: string) => publicSealKey(createPublicKey(key));

async function sealsOf(storage: Storage): Promise<readonly SealRecord[]> {
  return await storage.seals!.read(0, 1_000);
}

/** Everything is sealed, each seal continues the previous one, and each is reported once. */
async function expectSound(service: Service, storage: Storage, key: string): Promise<void> {
  await service.idle();
  await allSealed(storage);
  await service.idle();
  const result = await verifySeals(sealedLogOf(storage), { keys: [publicKey(key)] });
  expect(result.finding).toBeNull();
  const reportsOf = async () => (await recordsOf(storage)).filter(({ type }) => type === 'svc.LogSealed');
  const reported = async (): Promise<readonly number[]> =>
    (await reportsOf()).map(({ body }) => checkpointOf(JSON.parse(body) as { checkpoint: string }).number);
  // Another host may deliver the last report.
  const numbers = (await sealsOf(storage)).map(({ number }) => number);
  await expect.poll(reported, { timeout: 10_000 }).toEqual(numbers);
  const reports = await reportsOf();
  expect(reports.every(({ streamId }) => streamId === SystemEventStream.streamId)).toBe(true);
}

describeStores((stores) => {
  it('seals every event, reports each seal once, and does not seal an idle log again', async () => {
    const storage = (await stores.fresh())();
    const key = newKey();
    const service = await sealingShop(storage, { keys: [key] });
    for (let i = 0; i < 5; i++) await place(service, `order ${i}`);
    await expectSound(service, storage, key);
    const { length } = await sealsOf(storage);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await sealsOf(storage)).toHaveLength(length);

    await place(service, 'one more');
    await expectSound(service, storage, key);
    const records = await recordsOf(storage);
    const last = (await storage.seals!.readLast())!;
    expect(last.size, 'the next checkpoint covers the report of the previous one').toBeGreaterThanOrEqual(
      records.length - 2,
    );
  });

  it('verifies a log that is sealed during the verification', async () => {
    const storage = (await stores.fresh())();
    const key = newKey();
    const service = await sealingShop(storage, { keys: [key] });
    await place(service, 'before');
    await expectSound(service, storage, key);
    const log = sealedLogOf(storage);
    const sealMore = async (): Promise<void> => {
      await place(service, 'during');
      await service.idle();
      await allSealed(storage);
    };
    const changing = {
      ...log,
      // The log is read up to where it ends now, and the seals, page by page, up to where they end then.
      async *readPages(afterSequence: number) {
        const pages = log.readPages(afterSequence)[Symbol.asyncIterator]();
        const first = await pages.next();
        await sealMore();
        for (let page = first; page.done !== true; page = await pages.next()) yield page.value;
      },
      async *readSeals(after: number) {
        let last = after;
        for (let page = 0; page < 2; page++) {
          for await (const seal of log.readSeals(last)) {
            last = seal.number;
            yield seal;
          }
        }
      },
    };
    const { finding, events } = await verifySeals(changing, { keys: [publicKey(key)] });
    expect(finding).toBeNull();
    expect(events).toBeGreaterThan(0);
    await expectSound(service, storage, key);
  });

  it('resumes after a kill at each named point, and two hosts never fork', async () => {
    const open = await stores.fresh(300);
    const key = newKey();
    const points = [
      'before the seal is stored',
      'after the seal is stored',
      'before the anchor',
      'after the anchor',
    ] as const;
    const anchored: AnchoredCheckpoint[] = [];
    for (const point of points) {
      const killed = await killedAt(point, open(), key, anchored);
      await vi.waitUntil(() => killed.isDead, { timeout: 15_000 });
    }
    const storage = open();
    const hosts = [await sealingShop(storage, { keys: [key] }), await sealingShop(open(), { keys: [key] })];
    await Promise.all(Array.from({ length: 60 }, (_, i) => place(hosts[i % 2]!, `order ${i}`)));
    await hosts[1]!.idle();
    await expectSound(hosts[0]!, storage, key);
    const result = await verifySeals(sealedLogOf(storage), { anchored });
    expect(result.finding, 'what was sent to an anchor is what is stored').toBeNull();
  });
});

/** A host that does nothing more once it reaches a point: what it awaits there does not end before the test does. */
async function killedAt(
  point: string,
  storage: Storage,
  key: string,
  anchored: AnchoredCheckpoint[],
): Promise<{ readonly isDead: boolean }> {
  const state = { isDead: false };
  let endOfTest = (): void => {};
  const never = new Promise<never>((_, reject) => (endOfTest = () => reject(new Error('The test has ended.'))));
  never.catch(() => {});
  const reach = (name: string): Promise<void> => {
    if (name === point) state.isDead = true;
    return state.isDead ? never : Promise.resolve();
  };
  const seals = around(storage.seals!, {
    async append(seal, outgoing) {
      await reach('before the seal is stored');
      const isStored = await storage.seals!.append(seal, outgoing);
      await reach('after the seal is stored');
      return isStored;
    },
  });
  const anchor: CheckpointAnchor = {
    name: 'memory',
    async store(checkpoint) {
      await reach('before the anchor');
      anchored.push(checkpoint);
      await reach('after the anchor');
    },
  };
  const leases =
    storage.leases &&
    around(storage.leases, {
      // A dead host does not renew its lease.
      hold: (lane) => (state.isDead ? never : storage.leases!.hold(lane)),
    });
  const service = createService(shopRegistry())
    .useStorage(around(storage, { seals, ...(leases && { leases }), close: () => Promise.resolve() }))
    .addSystemEventAuditing((events) => events.enableAll())
    .addSeals({ keys: [key], anchors: [anchor], everyMs: 20 })
    .reportTo(() => {});
  service.start();
  // Before the service is stopped, which waits for what it does.
  onTestFinished(endOfTest);
  await service.ready();
  await place(service, `order of the host that is killed ${point}`);
  await service.idle();
  return state;
}

async function sealsHealth({ health }: Service): Promise<HealthEntry> {
  return (await health.run(({ name }) => name === 'svc_seals')).entries[0]!;
}

describe('keys', () => {
  it('rotate with overlap: the old key announces the new one, and verifying needs the first key only', async () => {
    const storage = new InMemoryStorage();
    const [old, next] = [newKey(), newKey()];
    const sealWith = async (keys: string[], note: string): Promise<void> => {
      const service = await sealingShop(storage, { keys });
      await place(service, note);
      await service.idle();
      await allSealed(storage);
      await service.stop();
    };
    await sealWith([old], 'with the old key');
    await sealWith([next, old], 'with both');
    await sealWith([next, old], 'with both again');
    await sealWith([next], 'with the new key');
    const checkpoints = (await sealsOf(storage)).map(checkpointOf);
    const ids = [publicKey(old).id, publicKey(next).id];
    const firstWithBoth = checkpoints.findIndex(({ keys }) => keys.length === 2);
    expect(checkpoints[firstWithBoth]!.key).toBe(ids[0]);
    expect(checkpoints[firstWithBoth + 1]!.key).toBe(ids[1]);
    expect(checkpoints.at(-1)!.keys.map(({ id }) => id)).toEqual(ids);
    const result = await verifySeals(sealedLogOf(storage), { keys: [publicKey(old)] });
    expect(result.finding).toBeNull();
    expect(result.isPinned).toBe(true);
  });

  it('does not seal with a key that no checkpoint announces, and says so, unless the old key is lost', async () => {
    const storage = new InMemoryStorage();
    const [old, next] = [newKey(), newKey()];
    const first = await sealingShop(storage, { keys: [old] });
    await place(first, 'with the old key');
    await first.idle();
    await allSealed(storage);
    await first.stop();
    const reported: unknown[] = [];
    const second = await sealingShop(storage, { keys: [next] }, (error) => reported.push(error));
    await place(second, 'with another key');
    await vi.waitFor(() => expect(reported).toHaveLength(1));
    expect(reported[0]).toMatchObject({ code: 'SVC_SEAL_KEY_UNKNOWN' });
    expect(await sealsHealth(second)).toMatchObject({ status: 'Degraded' });
    await second.stop();

    const third = await sealingShop(storage, { keys: [next], oldKeyIsLost: true });
    await third.idle();
    await allSealed(storage);
    const both = { keys: [publicKey(old), publicKey(next)] };
    expect((await verifySeals(sealedLogOf(storage), both)).finding).toBeNull();
    const onlyOld = await verifySeals(sealedLogOf(storage), { keys: [publicKey(old)] });
    expect(onlyOld.finding).toMatchObject({ kind: 'unknown-key' });
  });

  it('rejects keys of other kinds, and services that cannot seal', async () => {
    await expect(sealingShop(new InMemoryStorage(), { keys: ['no key'] })).rejects.toMatchObject({
      code: 'SVC_INVALID_SEAL_KEY',
    });
    await expect(sealingShop(new InMemoryStorage(), { keys: [] })).rejects.toMatchObject({
      code: 'SVC_INVALID_SEAL_KEY',
    });
    const unable = around(new InMemoryStorage(), { seals: undefined as never });
    await expect(sealingShop(unable)).rejects.toMatchObject({ code: 'SVC_SEALS_UNSUPPORTED' });
  });
});

describe('anchors', () => {
  it('get every checkpoint in order; a failing one is retried, delays nothing, and shows in the health check', async () => {
    const storage = new InMemoryStorage();
    const stored: string[] = [];
    const reported: unknown[] = [];
    let isBroken = true;
    const failing: CheckpointAnchor = {
      name: 'failing',
      store({ checkpoint }) {
        if (isBroken) return Promise.reject(new Error('no space left'));
        stored.push(checkpoint);
        return Promise.resolve();
      },
    };
    const service = await sealingShop(storage, { anchors: [failing] }, (error) => reported.push(error));
    for (let i = 0; i < 3; i++) {
      await place(service, `order ${i}`);
      await service.idle();
      await allSealed(storage);
    }
    expect(await sealsHealth(service)).toMatchObject({
      status: 'Degraded',
      description: expect.stringContaining('no space left') as string,
    });
    expect(reported, 'one report for each outage').toHaveLength(1);
    isBroken = false;
    await vi.waitFor(async () => expect(stored).toHaveLength((await sealsOf(storage)).length), { timeout: 10_000 });
    expect(stored).toEqual((await sealsOf(storage)).map(({ checkpoint }) => checkpoint));
    // An answer of a health check is used again for a second.
    await expect.poll(() => sealsHealth(service), { timeout: 5_000 }).toMatchObject({ status: 'Healthy' });
    await service.stop();

    const again = await sealingShop(storage, { anchors: [failing] });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(stored, 'a restart sends nothing again').toHaveLength((await sealsOf(storage)).length);
    await again.stop();
  });
});

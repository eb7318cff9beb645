/** The emission rules 7 to 10: what rebuilds, rewinds and migrations leave in the system stream, and in which order. */
import {
  createService,
  InMemoryStorage,
  newId,
  SystemEventStream,
  type RebuildProgress,
  type Service,
  type SystemEventOptions,
  type Uuid,
} from '@svc/core';
import { InProcessTransport } from '@svc/core/transport';
import type { MigratingStorage, Storage } from '@svc/core/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { firstStep, orders, secondStep, sqlItem, tableItem } from '../migrations/trial-tables.js';
import { OtherDatabase } from '../perspectives/other-database.js';
import { NoteTrace, OrderTrace, place, traces } from '../perspectives/perspective-shop.js';
import { shopEvents, shopRegistry, systemEvents } from '../system-events/shop.js';
import { describeRecords, whileRunning, type Rows } from './recorded.js';

/** An event of the system stream: its type without `svc.`, and what it says. */
interface EmittedEvent {
  readonly type: string;
  readonly streamId: Uuid;
  readonly perspectiveName?: string;
  readonly migrationKey?: string;
  readonly status?: number;
  readonly results?: readonly { readonly migrationKey: string; readonly status: number }[];
}

async function emitted(service: Service, prefix: RegExp): Promise<EmittedEvent[]> {
  const events = (await systemEvents(service)).map(({ envelope }) => envelope);
  return events
    .map(({ type, payload }) => Object.assign(payload as EmittedEvent, { type: type.slice('svc.'.length) }))
    .filter(({ type }) => prefix.test(type));
}

/** How often progress is told depends on the time. */
const withoutRepetition = (types: readonly string[]): string[] => types.filter((type, i) => type !== types[i - 1]);
const typesOf = (events: readonly EmittedEvent[]): string[] => events.map(({ type }) => type);

interface Recorded {
  readonly rewinds: readonly EmittedEvent[];
  readonly rebuilds: readonly EmittedEvent[];
  /** The stream that was rewound. */
  readonly orderId: Uuid;
}

/** Rewinds the models of an order by an event of another database, rebuilds a perspective, and gives up the rebuild of another. */
async function rewindAndRebuild(
  storage: Storage,
  configure: (options: SystemEventOptions) => unknown,
): Promise<Recorded> {
  const transport = new InProcessTransport();
  const service = createService({ ...shopRegistry(), perspectives: traces })
    .useStorage(storage)
    .useTransport(transport)
    .acceptEvents(shopEvents)
    .addSystemEvents((options) => void configure(options))
    .addServicePerspectives()
    .start();
  return await whileRunning(service, async () => {
    const elsewhere = new OtherDatabase(transport);
    const orderId = newId();
    const late = await elsewhere.place(orderId, 'x');
    await place(service, 'x', orderId);
    await place(service, 'other');
    await service.idle();
    await elsewhere.release();
    await service.idle();
    await elsewhere.stop();
    expect((await service.lens(OrderTrace).find(orderId))?.ids[0], 'the models were rewound').toBe(late);
    await service.rebuildPerspective(OrderTrace);
    await givenUp(service, [orderId, newId()]);
    return { rewinds: await emitted(service, /Rewind/), rebuilds: await emitted(service, /Rebuild/), orderId };
  });
}

async function givenUp(service: Service, streams: readonly Uuid[]): Promise<void> {
  const enough = new AbortController();
  const onProgress = ({ processedStreams }: RebuildProgress): void => {
    if (processedStreams === 1) enough.abort(new Error('enough'));
  };
  const rebuilding = service.rebuildPerspective(NoteTrace, { streams, signal: enough.signal, onProgress });
  await expect(rebuilding).rejects.toThrow('enough');
}

const rows: Rows<Recorded> = {
  'rule 7: EnablePerspectiveEvents enables rebuild and rewind events': ({ rewinds, rebuilds }) => {
    expect(new Set(typesOf(rebuilds))).toEqual(
      new Set(['Started', 'Progress', 'Completed', 'Failed'].map((what) => `PerspectiveRebuild${what}`)),
    );
    expect(new Set(typesOf(rewinds)).size).toBe(4);
  },
  'rule 8: a rebuild emits Started, then Progress, then Completed': ({ rebuilds }) => {
    const completed = rebuilds.filter(({ perspectiveName }) => perspectiveName === 'OrderTrace');
    expect(new Set(completed.map(({ streamId }) => streamId)).size).toBe(1);
    expect(withoutRepetition(typesOf(completed))).toEqual([
      'PerspectiveRebuildStarted',
      'PerspectiveRebuildProgress',
      'PerspectiveRebuildCompleted',
    ]);
  },
  'rule 8: a rebuild that fails emits Started, then Failed': ({ rebuilds }) => {
    const failed = rebuilds.filter(({ perspectiveName }) => perspectiveName === 'NoteTrace');
    const types = typesOf(failed).filter((type) => type !== 'PerspectiveRebuildProgress');
    expect(types).toEqual(['PerspectiveRebuildStarted', 'PerspectiveRebuildFailed']);
    expect(failed.at(-1)!.type).toBe('PerspectiveRebuildFailed');
  },
  'rule 9: a late event emits StreamRewindStarted once, Started and Completed per perspective, StreamRewindCompleted once':
    ({ rewinds, orderId }) => {
      expect(rewinds.map(({ streamId }) => streamId)).toEqual(rewinds.map(() => orderId));
      expect(typesOf(rewinds).at(0)).toBe('StreamRewindStarted');
      expect(typesOf(rewinds).at(-1)).toBe('StreamRewindCompleted');
      expect(rewinds).toHaveLength(6);
      for (const name of ['OrderTrace', 'NoteTrace']) {
        const own = rewinds.filter(({ perspectiveName }) => perspectiveName === name);
        expect(typesOf(own)).toEqual(['PerspectiveRewindStarted', 'PerspectiveRewindCompleted']);
      }
    },
};

describeRecords((storage) => rewindAndRebuild(storage, (options) => options.enablePerspectiveEvents()), rows);

it('rule 7: without EnablePerspectiveEvents rebuilds and rewinds emit nothing', async () => {
  const { rewinds, rebuilds } = await rewindAndRebuild(new InMemoryStorage(), () => {});
  expect([...rewinds, ...rebuilds]).toEqual([]);
});

const databases = useDatabases();

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  beforeEach(async () => void (database = await databases[kind]!()));
  afterEach(() => database.remove());

  /** Starts a service that enables nothing, and returns what this start emitted. */
  async function start(storage: MigratingStorage): Promise<EmittedEvent[]> {
    const service = createService({ ...shopRegistry(), perspectives: [] })
      .useStorage(storage)
      .addSystemEvents()
      .start();
    return await whileRunning(service, async () => {
      await storage.migrations.emitted();
      const all = await emitted(service, /^Migration/);
      const last = all.findLastIndex(({ type }) => type === 'MigrationBatchStarted');
      expect(await service.eventStore.lastPosition(SystemEventStream.streamId)).toBe(all.length - 1);
      return all.slice(Math.max(last, 0));
    });
  }

  it('rule 7: a start emits migration events when it applies migrations, whatever is enabled', async () => {
    const items = [sqlItem(firstStep)];
    const first = await start(database.storage(items));
    expect(typesOf(first)).toContain('MigrationItemCompleted');
    // Nothing is applied, and the last batch is still that of the first start.
    expect(await start(database.storage(items))).toEqual(first);
  });

  it('rule 10: a start emits BatchStarted, per item Started then Completed or Failed, then BatchCompleted with the results', async () => {
    await start(database.storage([sqlItem(firstStep)]));
    // What has the name already is not a table.
    await database.query('CREATE VIEW svc_per_orders AS SELECT 1 AS id');
    const [batchStarted, ...rest] = await start(
      database.storage([sqlItem(firstStep, secondStep), tableItem(orders())]),
    );
    const [items, batchCompleted] = [rest.slice(0, -1), rest.at(-1)!];
    expect([batchStarted!.type, batchCompleted.type]).toEqual(['MigrationBatchStarted', 'MigrationBatchCompleted']);
    const pairs = items.filter((_, i) => i % 2 === 0).map((event, i) => [event, items[2 * i + 1]!] as const);
    for (const [started, ended] of pairs) {
      expect(started.type).toBe('MigrationItemStarted');
      expect(ended.type).toBe(
        ended.migrationKey === 'perspective/Orders' ? 'MigrationItemFailed' : 'MigrationItemCompleted',
      );
      expect(ended.migrationKey).toBe(started.migrationKey);
    }
    const keys = (await database.storage().migrations.records()).map(({ key }) => key);
    expect(new Set(pairs.map(([{ migrationKey }]) => migrationKey))).toEqual(new Set(keys));
    expect(pairs).toHaveLength(keys.length);
    const results = pairs.map(([, { migrationKey, status }]) => ({ migrationKey, status }));
    expect(batchCompleted.results).toMatchObject(results);
    expect(new Set([batchStarted!, ...rest].map(({ streamId }) => streamId)).size).toBe(1);
  });
});

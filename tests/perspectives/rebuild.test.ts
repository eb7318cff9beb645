import {
  newId,
  PerspectiveFailed,
  PerspectiveRebuildCompleted,
  PerspectiveRebuildFailed,
  PerspectiveRebuildProgress,
  PerspectiveRebuildStarted,
  RebuildMode,
  type AppliedEvent,
  type Perspective,
  type RebuildProgress,
  type Service,
  type Uuid,
} from '@svc/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { describeStores, type OpenStore } from './storages.js';
import { OrderPlaced, records, systemEvents } from '../system-events/shop.js';
import { append, appendAll, described, ids, receive, shopWith, type Trace } from './perspective-shop.js';

/** What the next version of the code does otherwise. */
let suffix = '';
let poison: string | null = null;
let unwritable: string | null = null;
let onApply = (): void => {};
beforeEach(() => {
  suffix = '';
  poison = null;
  unwritable = null;
  onApply = () => {};
});

class VersionedTrace implements Perspective<Trace, OrderPlaced> {
  apply(model: Trace | null, { note }: OrderPlaced, { id }: AppliedEvent): Trace {
    onApply();
    if (note === poison) throw new RangeError('cannot read this');
    if (note === unwritable) return { ids: [1n as unknown as string] };
    return { ids: [...(model?.ids ?? []), id + suffix] };
  }
}

const perspectives = [described(VersionedTrace, [OrderPlaced])];
const modes = Object.values(RebuildMode);
const withSuffix = (all: readonly Uuid[]): string[] => all.map((id) => id + suffix);

let open: OpenStore;

async function filled(): Promise<{ service: Service; streams: Uuid[]; all: Uuid[] }> {
  const service = shopWith(perspectives, open()).start();
  const [streams, all] = [ids(3), ids(30)];
  for (const [i, id] of all.entries()) await append(service, streams[i % 3]!, 'x', id);
  await service.idle();
  return { service, streams, all };
}

/** What stands in all models together. */
async function storedIds(): Promise<string[]> {
  const models = await open().perspectives.listModels('VersionedTrace', {
    offset: 0,
    limit: 10_000,
    owner: null,
    principals: null,
  });
  return models.flatMap(({ body }) => (JSON.parse(body!) as Trace).ids).toSorted();
}

async function rebuildEvents(service: Service): Promise<object[]> {
  const payloads = (await systemEvents(service)).map(({ envelope }) => envelope.payload);
  return payloads.filter((payload) => payload.constructor.name.startsWith('PerspectiveRebuild'));
}

describeStores((stores) => {
  beforeEach(async () => void (open = await stores.fresh()));

  describe.each(modes)('a rebuild in mode %s', (mode) => {
    it('rebuilds the models with the current code', async () => {
      const { service, streams, all } = await filled();
      suffix = '!';
      const result = await service.rebuildPerspective(VersionedTrace, { mode, streams });
      expect(result).toEqual({ streamsProcessed: 3, eventsReplayed: 30 });
      for (const [i, streamId] of streams.entries()) {
        const own = all.filter((_, n) => n % 3 === i);
        expect(await service.lens(VersionedTrace).find(streamId)).toEqual({ ids: withSuffix(own) });
      }
    });

    it('emits events with exact fields, under one stream id', async () => {
      const { service, streams } = await filled();
      await service.rebuildPerspective(VersionedTrace, { mode, streams });
      const emitted = await rebuildEvents(service);
      const { streamId } = emitted[0] as PerspectiveRebuildStarted;
      const common = { streamId, perspectiveName: 'VersionedTrace', mode };
      const startedAt = expect.any(Date) as Date;
      expect(emitted.map((event) => [event.constructor, { ...event }])).toEqual([
        [PerspectiveRebuildStarted, { ...common, totalStreams: 3, startedAt }],
        [
          PerspectiveRebuildProgress,
          { ...common, processedStreams: 3, totalStreams: 3, eventsReplayed: 30, startedAt },
        ],
        [
          PerspectiveRebuildCompleted,
          { ...common, streamsProcessed: 3, eventsReplayed: 30, duration: expect.stringMatching(/^PT/) as string },
        ],
      ]);
    });

    it('applies events that are appended during the rebuild exactly once', async () => {
      const { service, streams, all } = await filled();
      suffix = '!';
      const rebuilding = service.rebuildPerspective(VersionedTrace, { mode, streams });
      const more: Uuid[] = [];
      for (let i = 0; i < 40; i++) {
        more.push(await append(service, streams[0]!, 'y'));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await rebuilding;
      await service.idle();
      const expected = withSuffix([...all.filter((_, n) => n % 3 === 0), ...more]);
      expect(await service.lens(VersionedTrace).find(streams[0]!)).toEqual({ ids: expected });
    });

    it('resumes a stopped stream, and stops it again when it fails again', async () => {
      const { service, streams, all } = await filled();
      poison = 'bad';
      const bad = await append(service, streams[0]!, 'bad');
      const behind = await append(service, streams[0]!, 'x');
      await service.idle();
      await service.rebuildPerspective(VersionedTrace, { mode, streams });
      expect(await service.lens(VersionedTrace).stoppedStreams()).toMatchObject([{ eventId: bad }]);
      expect(await records(service, PerspectiveFailed)).toHaveLength(2);
      poison = null;
      await service.rebuildPerspective(VersionedTrace, { mode, streams });
      expect(await service.lens(VersionedTrace).stoppedStreams()).toEqual([]);
      const expected = [...all.filter((_, n) => n % 3 === 0), bad, behind];
      expect(await service.lens(VersionedTrace).find(streams[0]!)).toEqual({ ids: expected });
    });

    it('stops a stream at the event whose model cannot be written, and rebuilds the others', async () => {
      const { service, streams, all } = await filled();
      const bad = await append(service, streams[0]!, 'bad');
      await service.idle();
      [suffix, unwritable] = ['!', 'bad'];
      const result = await service.rebuildPerspective(VersionedTrace, { mode, streams, acceptFailures: true });
      expect(result).toMatchObject({ stoppedStreams: 1 });
      expect(await service.lens(VersionedTrace).stoppedStreams()).toMatchObject([{ eventId: bad }]);
      expect(await records(service, PerspectiveFailed)).toMatchObject([{ perspectiveName: 'VersionedTrace' }]);
      for (const [i, streamId] of streams.entries()) {
        const own = all.filter((_, n) => n % 3 === i);
        expect(await service.lens(VersionedTrace).find(streamId)).toEqual({ ids: withSuffix(own) });
      }
    });

    it('can be cancelled, which is emitted, and loses nothing', async () => {
      const { service, streams, all } = await filled();
      suffix = '!';
      const signal = AbortSignal.abort(new Error('enough'));
      await expect(service.rebuildPerspective(VersionedTrace, { mode, streams, signal })).rejects.toThrow('enough');
      await service.idle();
      expect((await service.lens(VersionedTrace).find(streams[0]!))?.ids).toHaveLength(10);
      expect(await records(service, PerspectiveRebuildFailed)).toEqual([
        expect.objectContaining({ mode, error: 'Error: enough', streamsProcessedBeforeFailure: 0 }),
      ]);
      expect(all).toHaveLength(30);
    });
  });

  it('is BlueGreen by default, and does not change the serving models until it has completed', async () => {
    const { service, streams } = await filled();
    suffix = '!';
    const seen = new Set<number>();
    const lengths: unknown[] = [];
    const rebuilding = service.rebuildPerspective(VersionedTrace).finally(() => seen.add(-1));
    while (!seen.has(-1)) {
      lengths.push((await service.lens(VersionedTrace).find(streams[0]!))?.ids.length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await rebuilding;
    expect(new Set(lengths)).toEqual(new Set([10]));
    const [started] = await records(service, PerspectiveRebuildStarted);
    expect(started?.mode).toBe('BlueGreen');
  });

  it.each([
    [RebuildMode.BlueGreen, 'leaves everything as it was', ''],
    [RebuildMode.InPlace, 'continues in the background', '!'],
  ])('cancelled halfway, %s %s', async (mode, _what, expected) => {
    const { service, streams } = await filled();
    await appendAll(
      service,
      ids(1_000).map((id) => [newId(), id]),
    );
    await service.idle();
    suffix = '!';
    const controller = new AbortController();
    const onProgress = ({ processedStreams }: RebuildProgress): void => {
      if (processedStreams > 0) controller.abort(new Error('enough'));
    };
    const { signal } = controller;
    await expect(service.rebuildPerspective(VersionedTrace, { mode, signal, onProgress })).rejects.toThrow('enough');
    await service.idle();
    const model = await service.lens(VersionedTrace).find(streams[0]!);
    expect(model?.ids).toHaveLength(10);
    expect(model?.ids.every((id) => id.length === 36 + expected.length)).toBe(true);
    const [failed] = await records(service, PerspectiveRebuildFailed);
    expect(failed?.streamsProcessedBeforeFailure).toBeGreaterThan(0);
  });

  it('emits its progress at least every 1,000 streams', { timeout: 60_000 }, async () => {
    const service = shopWith(perspectives, open()).start();
    await appendAll(
      service,
      ids(2_100).map((id) => [newId(), id]),
    );
    await service.idle();
    const reported: RebuildProgress[] = [];
    await service.rebuildPerspective(VersionedTrace, { onProgress: (far) => reported.push(far) });
    const progress = (await records(service, PerspectiveRebuildProgress)).map(
      ({ processedStreams }) => processedStreams,
    );
    const steps = progress.map((streams, i) => streams - (progress[i - 1] ?? 0));
    expect(Math.max(...steps)).toBeLessThanOrEqual(1_000);
    expect(progress.at(-1)).toBe(2_100);
    expect(reported[0]).toEqual({ processedStreams: 0, totalStreams: 2_100, eventsReplayed: 0 });
    expect(reported.at(-1)).toEqual({ processedStreams: 2_100, totalStreams: 2_100, eventsReplayed: 2_100 });
    expect(reported.length).toBeGreaterThan(2);
  });

  it('ends when the service stops, and the service resumes it after its next start', async () => {
    const { service, streams } = await filled();
    const rebuilding = service.rebuildPerspective(VersionedTrace, { mode: RebuildMode.InPlace });
    const ended = rebuilding.catch((error: unknown) => error);
    await service.stop();
    expect(await ended).toMatchObject({ code: 'SVC_SERVICE_STOPPING' });
    const again = shopWith(perspectives, open()).start();
    await again.idle();
    expect((await again.lens(VersionedTrace).find(streams[0]!))?.ids).toHaveLength(10);
  });

  /** A rebuild that ends because its service stops, once so many events are applied; then the service is there again. */
  async function interrupted(mode: RebuildMode, after: number): Promise<{ service: Service; all: Uuid[] }> {
    const { service, all } = await filled();
    const more = ids(1_000);
    await appendAll(
      service,
      more.map((id) => [newId(), id]),
    );
    await service.idle();
    suffix = '!';
    let stopped: Promise<void> | undefined;
    onApply = () => void (--after === 0 && (stopped = service.stop()));
    await expect(service.rebuildPerspective(VersionedTrace, { mode })).rejects.toMatchObject({
      code: 'SVC_SERVICE_STOPPING',
    });
    await stopped;
    return { service: shopWith(perspectives, open()).start(), all: [...all, ...more] };
  }
  const countApplied = (): (() => number) => {
    let applied = 0;
    onApply = () => void applied++;
    return () => applied;
  };

  it('resumes the rebuild of a stopped service, and continues its count', async () => {
    const { service, all } = await interrupted(RebuildMode.BlueGreen, 800);
    await service.ready();
    expect(await open().perspectives.readRebuilding('VersionedTrace')).toHaveLength(1);
    const applied = countApplied();
    const result = await service.rebuildPerspective(VersionedTrace);
    expect(result).toEqual({ streamsProcessed: 1_003, eventsReplayed: all.length });
    expect(applied()).toBeGreaterThan(0);
    expect(applied()).toBeLessThanOrEqual(all.length - 500);
    expect(await open().perspectives.readRebuilding('VersionedTrace')).toEqual([]);
    expect(await storedIds()).toEqual(withSuffix(all).toSorted());
    const emitted = (await records(service, PerspectiveRebuildStarted)).at(-1)!;
    expect(emitted.totalStreams).toBe(1_003);
    const counts = (await records(service, PerspectiveRebuildProgress)).filter(
      ({ streamId }) => streamId === emitted.streamId,
    );
    expect(counts[0]!.eventsReplayed).toBeGreaterThanOrEqual(all.length - applied());
    expect(counts.at(-1)).toMatchObject({ processedStreams: 1_003, eventsReplayed: all.length });
  });

  it('starts from the beginning if it must not resume', async () => {
    const { service, all } = await interrupted(RebuildMode.BlueGreen, 800);
    const applied = countApplied();
    await service.rebuildPerspective(VersionedTrace, { resume: false });
    expect(applied()).toBe(all.length);
    expect(await open().perspectives.readRebuilding('VersionedTrace')).toEqual([]);
  });

  it('gives a model the scope of its first event in the log, and never that of a late event', async () => {
    const service = shopWith(perspectives, open()).start();
    const streamId = newId();
    const [first, second] = [newId(), newId()];
    for (const [id, tenantId] of [
      [second, 'second'],
      [first, 'first'],
    ] as const) {
      const scope = { tenantId, userId: null };
      await receive(service, [[streamId, id]], { body: '{"note":"x"}', scope });
      await service.idle();
    }
    const models = async () => await open().perspectives.readModels('VersionedTrace', [streamId]);
    const live = await models();
    expect(live).toMatchObject([{ scope: { tenantId: 'second' }, owner: 'second', version: 2, lastEventId: second }]);
    for (const options of [{}, { mode: RebuildMode.InPlace }, { streams: [streamId] }]) {
      await service.rebuildPerspective(VersionedTrace, options);
      // A rebuild is a change: it has another revision.
      expect(await models()).toEqual([{ ...live[0], revision: expect.any(Number) as number }]);
    }
  });

  it('InPlace resumes in the background when its service starts again', async () => {
    const { service, all } = await interrupted(RebuildMode.InPlace, 800);
    await service.idle();
    expect(await storedIds()).toEqual(withSuffix(all).toSorted());
  });

  it('shares tables with another rebuild of the same perspective, and both apply every event once', async () => {
    const { service, all } = await filled();
    suffix = '!';
    const both = [service.rebuildPerspective(VersionedTrace), service.rebuildPerspective(VersionedTrace)];
    expect(await Promise.all(both)).toEqual(both.map(() => ({ streamsProcessed: 3, eventsReplayed: 30 })));
    expect(await storedIds()).toEqual(withSuffix(all).toSorted());
    expect(await open().perspectives.readRebuilding('VersionedTrace')).toEqual([]);
  });

  it('leaves no tables when it is cancelled', async () => {
    const { service } = await filled();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(service.rebuildPerspective(VersionedTrace, { signal })).rejects.toThrow('enough');
    expect(await open().perspectives.readRebuilding('VersionedTrace')).toEqual([]);
  });

  it('rejects a class that is not a registered perspective', async () => {
    class Unknown extends VersionedTrace {}
    const { service } = await filled();
    await expect(service.rebuildPerspective(Unknown)).rejects.toThrow(
      expect.objectContaining({ code: 'SVC_UNKNOWN_PERSPECTIVE' }),
    );
  });
});

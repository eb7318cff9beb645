import type { Uuid } from '../json/index.js';
import { PerspectiveMovedError, type StoredEvent } from '../storage/index.js';
import { withoutEvents } from './advance.js';
import { applyBatch, byEventId, keyOrNull, type StreamFailure } from './apply-batch.js';
import { stoppedStream } from './failures.js';
import { ModelEvents, stopsOf, type PerspectiveParts } from './model-events.js';
import type { NamedPerspective } from './perspective.js';

/** Makes every model anew that has events of a stream, from its first event on. A stream that was stopped goes on. */
export async function rebuildStream(
  named: NamedPerspective,
  streamId: Uuid,
  parts: PerspectiveParts,
): Promise<{ replayed: number; failures: readonly StreamFailure[] }> {
  for (;;) {
    try {
      return await tryRebuild(named, streamId, parts);
    } catch (error) {
      // The perspective has taken more meanwhile: once more, of all there is now.
      if (!(error instanceof PerspectiveMovedError)) throw error;
    }
  }
}

async function tryRebuild(
  named: NamedPerspective,
  streamId: Uuid,
  parts: PerspectiveParts,
): Promise<{ replayed: number; failures: readonly StreamFailure[] }> {
  const { storage } = parts;
  const finder = new ModelEvents(named, parts);
  const from = await storage.readProgress(named.name);
  const upTo = await parts.log.placeAt(from.sequence);
  const stopped = (await storage.readStopped(named.name)).filter((stream) => stream.streamId !== streamId);
  const stops = stopsOf(stopped);
  const own = await finder.ofStream(streamId, upTo, stops);
  const keys = new Set([
    ...(named.perspective.keyOf === undefined ? [streamId] : await storage.readKeys(named.name, streamId)),
    ...own.map((event) => keyOrNull(named, event)).filter((key) => key !== null),
  ]);
  // Those whose key cannot be told are among them, to fail and say why.
  const events: StoredEvent[] = own.filter((event) => keyOrNull(named, event) === null);
  for (const key of keys) events.push(...(await finder.ofModel(key, null, upTo, stops, [streamId])));
  const { models, snapshots, sources, failures } = applyBatch(named, new Map(), events.toSorted(byEventId));
  const kept = await storage.readModels(named.name, [...keys]);
  const gone = kept.filter(({ key }) => !models.has(key));
  await storage.commitPerspective({
    perspective: named.name,
    from,
    to: from.sequence,
    models: [
      ...models.values(),
      ...gone.map(({ key, lastEventId }) => withoutEvents(named, { key, snapshot: null, trigger: lastEventId })),
    ],
    sources,
    rewound: [...keys].map((key) => ({ key, afterEventId: null })),
    snapshots,
    stopped: failures.map(stoppedStream),
    resumed: [streamId],
  });
  return { replayed: events.length, failures };
}

/** Models that are made anew of their streams while the perspective goes on taking what happens. */
import { InMemoryStorage, newId, RebuildMode, type Service, type Uuid } from '@svc/core';
import { type PerspectiveCommit } from '@svc/core/storage';
import { expect, it } from 'vitest';
import { append, ids, NoteTrace, OrderTrace, shopWith, traces } from './perspective-shop.js';

/** A service whose perspective takes an event each time a rebuild is about to keep something; and how often streams were read. */
async function restless(during: (service: Service) => Promise<unknown>) {
  const storage = new InMemoryStorage();
  const read: Uuid[] = [];
  const readStream = storage.readStream.bind(storage);
  storage.readStream = (streamId, from) => {
    read.push(streamId);
    return readStream(streamId, from);
  };
  const readPositions = storage.readPositions.bind(storage);
  storage.readPositions = (streamId, positions) => {
    read.push(streamId);
    return readPositions(streamId, positions);
  };
  const service = shopWith(traces, storage).start();
  const commitNow = storage.perspectives.commitPerspective.bind(storage.perspectives);
  let attempts = 0;
  const commitLater = async (commit: PerspectiveCommit): Promise<void> => {
    if (commit.resumed.length > 0) {
      attempts++;
      await during(service);
      await service.idle();
    }
    commitNow(commit);
  };
  Object.assign(storage.perspectives, { commitPerspective: commitLater });
  const streams = ids(5);
  for (const streamId of streams) await append(service, streamId, 'same');
  await service.idle();
  read.length = 0;
  return { service, streams, read, attempts: () => attempts };
}

it('reads their events once, and then only newer events', async () => {
  let left = 6;
  const { service, streams, read, attempts } = await restless(async (running) => {
    if (left-- <= 0) return;
    // Half of it is none of theirs, half of it is.
    await append(running, newId(), left % 2 === 0 ? 'other' : 'same');
  });
  await service.rebuildPerspective(NoteTrace, { streams: [streams[0]!] });
  expect(attempts()).toBe(7);
  expect(read).toHaveLength(1 + streams.length);
  const found = await service.lens(NoteTrace).find('same');
  expect(found!.ids).toHaveLength(streams.length + 3);
  expect(found!.ids).toEqual(found!.ids.toSorted());
});

it('reads all events again when an event arrives that precedes the ones that were read', async () => {
  const late = newId();
  let isLate = true;
  const { service, streams } = await restless(async (running) => {
    if (isLate) await append(running, newId(), 'same', late);
    isLate = false;
  });
  await service.rebuildPerspective(NoteTrace, { streams: [streams[0]!] });
  const found = await service.lens(NoteTrace).find('same');
  expect(found!.ids[0]).toBe(late);
  expect(found!.ids).toHaveLength(streams.length + 1);
});

it('ends when it is cancelled, also while new events never stop', async () => {
  const giving = new AbortController();
  let appended = 0;
  const { service, streams } = await restless(async (running) => {
    if (++appended === 20) giving.abort(new Error('enough'));
    await append(running, streams[0]!, 'same');
  });
  const rebuilding = service.rebuildPerspective(OrderTrace, {
    mode: RebuildMode.SelectedStreams,
    streams: [streams[0]!],
    signal: giving.signal,
  });
  await expect(rebuilding).rejects.toThrow('enough');
  expect((await service.lens(OrderTrace).find(streams[0]!))!.ids).toHaveLength(1 + appended);
});

/** Rebuilds whose program cannot apply events that the serving models have processed. */
import {
  PerspectiveFailed,
  PerspectiveRebuildFailed,
  RebuildMode,
  newId,
  type Perspective,
  type Service,
  type Uuid,
} from '@svc/core';
import { beforeEach, expect, it } from 'vitest';
import { OrderPlaced, records } from '../system-events/shop.js';
import { append, described, shopWith } from './perspective-shop.js';
import { describeStores, type OpenStore } from './storages.js';

let isBroken = false;
beforeEach(() => void (isBroken = false));

interface Note {
  readonly note: string;
}

class LastNote implements Perspective<Note, OrderPlaced> {
  apply(_model: Note | null, { note }: OrderPlaced): Note {
    if (isBroken && note === 'bad') throw new RangeError('cannot apply bad notes');
    return { note };
  }
}

interface Reported {
  readonly error: unknown;
  readonly part: string;
}

describeStores((stores) => {
  let open: OpenStore;
  beforeEach(async () => void (open = await stores.fresh()));

  async function filled(): Promise<{ service: Service; reported: Reported[]; good: Uuid; bad: Uuid; badEvent: Uuid }> {
    const reported: Reported[] = [];
    const service = shopWith([described(LastNote, [OrderPlaced])], open())
      .reportTo((error, part) => void reported.push({ error, part }))
      .start();
    const [good, bad] = [newId(), newId()];
    await append(service, good, 'good');
    const badEvent = await append(service, bad, 'bad');
    await service.idle();
    return { service, reported, good, bad, badEvent };
  }
  const notesOf = async (service: Service, ...ids: Uuid[]): Promise<unknown[]> =>
    Promise.all(ids.map((id) => service.lens(LastNote).find(id)));

  it('do not replace the serving models, which follow the log afterwards', async () => {
    const { service, good, bad, badEvent } = await filled();
    isBroken = true;
    await expect(service.rebuildPerspective(LastNote)).rejects.toMatchObject({
      code: 'SVC_REBUILD_INCOMPLETE',
      message: expect.stringMatching(
        new RegExp(
          `LastNote .* failed at 1 stream .* stream ${bad}, at event ${badEvent}: RangeError: cannot apply bad`,
          'u',
        ),
      ) as string,
    });
    expect(await notesOf(service, good, bad)).toEqual([{ note: 'good' }, { note: 'bad' }]);
    expect(await service.lens(LastNote).stoppedStreams()).toEqual([]);
    await append(service, bad, 'later');
    await service.idle();
    expect(await notesOf(service, bad)).toEqual([{ note: 'later' }]);
    expect(await records(service, PerspectiveRebuildFailed)).toMatchObject([
      { error: expect.stringContaining('LastNote are not replaced') as string },
    ]);
  });

  it('replace them if the operator accepts the failures, and name their number', async () => {
    const { service, good, bad } = await filled();
    isBroken = true;
    expect(await service.rebuildPerspective(LastNote, { acceptFailures: true })).toMatchObject({ stoppedStreams: 1 });
    expect(await notesOf(service, good, bad)).toEqual([{ note: 'good' }, null]);
    // The stream is stopped in the serving models now, too.
    expect(await service.rebuildPerspective(LastNote)).toMatchObject({ stoppedStreams: 1 });
    isBroken = false;
    expect(await service.rebuildPerspective(LastNote)).toEqual({ streamsProcessed: 2, eventsReplayed: 2 });
    expect(await notesOf(service, bad)).toEqual([{ note: 'bad' }]);
  });

  it('report each failure to the log with its stack', async () => {
    const { service, reported, bad, badEvent } = await filled();
    isBroken = true;
    await service.rebuildPerspective(LastNote, { mode: RebuildMode.InPlace });
    expect(reported).toMatchObject([
      {
        part: 'perspectives',
        error: {
          code: 'SVC_PERSPECTIVE_FAILED',
          perspectiveName: 'LastNote',
          streamId: bad,
          eventId: badEvent,
          eventType: 'shop.OrderPlaced',
          cause: { message: 'cannot apply bad notes', stack: expect.stringContaining('LastNote.apply') as string },
        },
      },
    ]);
    expect(await records(service, PerspectiveFailed)).toHaveLength(1);
  });

  it('also report a failure of a perspective that follows the log, once', async () => {
    const { service, reported } = await filled();
    isBroken = true;
    const streamId = newId();
    const eventId = await append(service, streamId, 'bad');
    await append(service, streamId, 'later');
    await service.idle();
    expect(reported).toMatchObject([
      {
        part: 'perspectives',
        error: { code: 'SVC_PERSPECTIVE_FAILED', streamId, eventId, cause: new RangeError('cannot apply bad notes') },
      },
    ]);
  });
});

/** Error events contain the number of the failed attempt: of a retried command, and of an event that a perspective cannot apply. */
import { PerspectiveFailed, ReceptorFailed, type Perspective, type Uuid } from '@svc/core';
import { expect, it } from 'vitest';
import { append, described, place, shopWith } from '../perspectives/perspective-shop.js';
import { describeStores } from '../perspectives/storages.js';
import { OrderPlaced, records } from '../system-events/shop.js';
import { DeskEndpoint, openDesk, ways, type TakeNote } from './desk.js';

/** Dispatches a command at most three times. */
class RetryingEndpoint extends DeskEndpoint {
  protected override async dispatchCommand(command: object, signal: AbortSignal): Promise<unknown> {
    for (let left = 2; ; left--) {
      try {
        return await super.dispatchCommand(command, signal);
      } catch (error) {
        if (left === 0) throw error;
      }
    }
  }
}

interface Model {
  text: string;
}

class FailingPerspective implements Perspective<Model, OrderPlaced> {
  apply(_model: Model | null, { note }: OrderPlaced): Model {
    if (note === 'bad') throw new Error('Cannot apply it.');
    return { text: note };
  }
}

describeStores((stores) => {
  it.each(ways)(
    '(error events) attempt is the real number for a command that its endpoint retries (%s)',
    async (way) => {
      const receive = (): never => {
        throw new Error('A bug.');
      };
      const desk = await openDesk({ storage: (await stores.fresh())(), receive, endpoint: RetryingEndpoint });
      await desk[way].take('acme/ann', {});
      await desk[way].take('acme/ann', {});
      expect((await records(desk.service, ReceptorFailed)).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 1, 2, 3]);
    },
  );

  it.each(ways)('(error events) attempt continues if a request is repeated with its key (%s)', async (way) => {
    let isBroken = true;
    const receive = (_command: TakeNote): null => {
      if (isBroken) throw new Error('A bug.');
      return null;
    };
    const desk = await openDesk({ storage: (await stores.fresh())(), receive, endpoint: RetryingEndpoint });
    const attempts = async (): Promise<number[]> =>
      (await records(desk.service, ReceptorFailed)).map(({ attempt }) => attempt);
    const note = { text: 'x' };
    await desk[way].take('acme/ann', note, 'key-1');
    await desk[way].take('acme/ann', note, 'key-2');
    await desk[way].take('acme/ann', note, 'key-1');
    expect(await attempts()).toEqual([1, 2, 3, 1, 2, 3, 4, 5, 6]);
    isBroken = false;
    expect(await desk[way].take('acme/ann', note, 'key-1')).toBe(200);
  });

  it('(error events) attempt continues for an event that a perspective fails to apply again, also after a restart', async () => {
    const open = await stores.fresh();
    const start = () => shopWith([described(FailingPerspective, [OrderPlaced])], open()).start();
    const attemptsOf = async (service: ReturnType<typeof start>): Promise<number[]> =>
      (await records(service, PerspectiveFailed)).map(({ attempt }) => attempt);
    let service = start();
    const streamId: Uuid = await place(service, 'good');
    const bad = await append(service, streamId, 'bad');
    await service.idle();
    expect(await attemptsOf(service)).toEqual([1]);
    await service.rebuildPerspective(FailingPerspective, { streams: [streamId] });
    expect(await attemptsOf(service)).toEqual([1, 2]);
    await service.stop();

    service = start();
    await service.rebuildPerspective(FailingPerspective, { streams: [streamId] });
    await service.rebuildPerspective(FailingPerspective, {});
    expect(await attemptsOf(service)).toEqual([1, 2, 3, 4]);
    const lens = service.lens(FailingPerspective);
    expect(await lens.stoppedStreams()).toMatchObject([{ eventId: bad, attempts: 4 }]);
  });
});

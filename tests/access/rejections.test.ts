/** Which failed commands are recorded: unexpected failures, and rejections if they are enabled. */
import {
  CommandRejectedError,
  newId,
  NotFoundError,
  ReceptorFailed,
  ValidationError,
  type SystemEventOptions,
} from '@svc/core';
import { describe, expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { records, systemEvents } from '../system-events/shop.js';
import { openDesk, TakeNote, ways, type Desk, type TakesNote } from './desk.js';

const ann = 'acme/ann';
const bob = 'acme/bob';

/** Adds one note many times concurrently: the first is stored, all others are conflicts. */
async function burst(desk: Desk, way: (typeof ways)[number], who: string, times: number): Promise<number> {
  const noteId = newId();
  const answers = await Promise.all(Array.from({ length: times }, () => desk[way].take(who, { noteId })));
  expect(answers.filter((answer) => answer === 200)).toHaveLength(1);
  return answers.filter((answer) => answer === 409 || answer === 'CONCURRENCY_CONFLICT').length;
}

/** Without the migration events at start. */
const typesIn = async (desk: Desk): Promise<string[]> => {
  const types = (await systemEvents(desk.service)).map(({ envelope }) => envelope.type);
  return types.filter((type) => !type.startsWith('svc.Migration'));
};

const throwing =
  (make: () => Error): TakesNote =>
  () => {
    throw make();
  };

describeStores((stores) => {
  describe.each(ways)('over %s', (way) => {
    it('error events record failures: a contended burst of 409s adds no row to $svc-system', async () => {
      const desk = await openDesk({ storage: (await stores.fresh())() });
      expect(await burst(desk, way, ann, 40)).toBe(39);
      expect(await typesIn(desk)).toEqual(['svc.ScopeContextEstablished', 'svc.EventAudited', 'svc.CommandAudited']);
    });

    it('records rejected commands if enabled, with a limit for each caller', async () => {
      const desk = await openDesk({
        storage: (await stores.fresh())(),
        events: (options) => options.enableErrorEvents({ rejections: true }),
      });
      await burst(desk, way, ann, 40);
      await burst(desk, way, bob, 3);
      const failed = await records(desk.service, ReceptorFailed);
      expect(failed).toMatchObject([
        { errorName: 'ConcurrencyConflictError', messageType: 'desk.TakeNote', attempt: 1, scope: { userId: 'ann' } },
        { errorName: 'ConcurrencyConflictError', messageType: 'desk.TakeNote', attempt: 1, scope: { userId: 'bob' } },
      ]);
      expect(failed.map(({ count }) => count)).toEqual([undefined, undefined]);
    });
  });

  it('emits the counted rejections when the host stops', async () => {
    const open = await stores.fresh();
    const events = (options: SystemEventOptions): unknown => options.enableErrorEvents({ rejections: true });
    const desk = await openDesk({ storage: open(), events });
    await burst(desk, 'rest', ann, 10);
    await desk.service.stop();
    const next = await openDesk({ storage: open(), events });
    expect((await records(next.service, ReceptorFailed)).map(({ count }) => count)).toEqual([undefined, 8]);
  });

  it.each([
    ['a 422', throwing(() => new CommandRejectedError('No.'))],
    ['a 404', throwing(() => new NotFoundError('There is none.'))],
    ['a 400 of a receptor', throwing(() => new ValidationError([{ pointer: '/text', detail: 'is too long' }]))],
  ])('does not record %s', async (_what, receive) => {
    const desk = await openDesk({ storage: (await stores.fresh())(), receive });
    for (const way of ways) await desk[way].take(ann, {});
    expect(await typesIn(desk)).toEqual(['svc.ScopeContextEstablished']);
  });

  it('does not record a command whose caller disconnected', async () => {
    const desk = await openDesk({ storage: (await stores.fresh())() });
    const invoking = desk.service.dispatcher.invoke(new TakeNote(), { signal: AbortSignal.abort() });
    await expect(invoking).rejects.toMatchObject({ name: 'AbortError' });
    expect(await typesIn(desk)).toEqual([]);
  });

  it('records every unexpected failure, and many of them with a count', async () => {
    const open = await stores.fresh();
    const desk = await openDesk({ storage: open(), receive: throwing(() => new Error('A bug.')) });
    for (let i = 0; i < 30; i++) expect(await desk.rest.take(ann, {})).toBe(500);
    await desk.rest.take(bob, {});
    const failed = await records(desk.service, ReceptorFailed);
    expect(failed.slice(0, 20).map(({ messageType, errorMessage }) => [messageType, errorMessage])).toEqual(
      Array.from({ length: 20 }, () => ['desk.TakeNote', 'A bug.']),
    );
    expect(new Set(failed.map(({ messageId }) => messageId)).size).toBe(22);
    expect(failed.slice(20).map(({ scope, count }) => [scope!['userId'], count])).toEqual([
      ['ann', undefined],
      ['bob', undefined],
    ]);
    await desk.service.stop();
    const next = await openDesk({ storage: open() });
    const all = await records(next.service, ReceptorFailed);
    expect(all).toHaveLength(23);
    expect(all.at(-1)).toMatchObject({ messageType: 'desk.TakeNote', errorName: 'Error', count: 9 });
  });
});

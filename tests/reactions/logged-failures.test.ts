/** What the log has of a reaction that fails. */
import { InMemoryStorage, newId, RetryAfterError } from '@svc/core';
import { expect, it } from 'vitest';
import { append, eventsIn, reactionOf, shopWith, systemEvents, type React } from './reaction-shop.js';

interface Reported {
  readonly error: unknown;
  readonly part: string;
}

/** Runs a reaction for one event, and returns what is logged until its stream is parked. */
async function logOf(react: React, attempts = 3): Promise<{ reported: Reported[]; streamId: string; eventId: string }> {
  const reported: Reported[] = [];
  const retry = { attempts, firstDelayMs: 1, longestDelayMs: 1 };
  let calls = 0;
  const counting: React = async (event, context) => {
    calls++;
    await react(event, context);
  };
  const service = shopWith([reactionOf({ from: 'now', retry }, counting)], new InMemoryStorage())
    .reportTo((error, part) => void reported.push({ error, part }))
    .start();
  await service.ready();
  const streamId = await append(service, 'x', newId());
  const [event] = await eventsIn(service, streamId);
  await expect.poll(() => calls, { timeout: 10_000 }).toBe(attempts);
  await service.idle();
  await expect.poll(() => systemEvents(service, 'svc.ReactionFailed')).toHaveLength(1);
  return { reported, streamId, eventId: event!.envelope.id };
}

it('has the first and the last failed attempt, with the event and the stack of the error', async () => {
  const { reported, streamId, eventId } = await logOf(function failing() {
    throw new RangeError('a bug');
  });
  const common = {
    code: 'SVC_REACTION_FAILED',
    reactionName: 'TestReaction',
    streamId,
    eventId,
    eventType: 'shop.OrderPlaced',
    cause: { name: 'RangeError', message: 'a bug', stack: expect.stringContaining('at failing') as string },
  };
  expect(reported).toMatchObject([
    { part: 'reactions', error: { ...common, attempt: 1 } },
    { part: 'reactions', error: { ...common, attempt: 3 } },
  ]);
  const [first, last] = reported.map(({ error }) => (error as Error).message);
  expect(first).toBe(
    `The reaction TestReaction failed at event ${eventId} (shop.OrderPlaced) of stream ${streamId}, attempt 1. The next attempt is in 1 s.`,
  );
  expect(last).toContain(
    'attempt 3. The stream is parked. Fix the cause, then run "svc reactions retry TestReaction".',
  );
});

it('has one line if the stream is parked at once', async () => {
  const { reported } = await logOf(() => {
    throw new Error('a bug');
  }, 1);
  expect(reported).toMatchObject([{ error: { attempt: 1 } }]);
});

it('has a reaction that asks for a later retry only when its stream is parked', async () => {
  const { reported } = await logOf(() => {
    throw new RetryAfterError('busy', 1);
  }, 2);
  expect(reported).toMatchObject([{ error: { attempt: 2, cause: { code: 'SVC_RETRY_AFTER' } } }]);
});

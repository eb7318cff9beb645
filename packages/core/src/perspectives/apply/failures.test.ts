import { expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import { PerspectiveFailed } from '../../system-events/index.js';
import { counted, perspectiveFailed, stoppedStream, type CountedFailure } from './failures.js';

it('stores the error of a perspective without credentials', () => {
  const error = new Error('GET https://app:hunter2hunter2@search.example/index failed');
  const envelope = { id: newId(), type: 'shop.OrderPlaced', scope: null };
  const failure = {
    event: { streamId: newId(), position: 1, envelope },
    error,
    attempt: 1,
  } as unknown as CountedFailure;
  const expected = { errorMessage: 'GET https://***@search.example/index failed' };
  expect(stoppedStream(failure)).toMatchObject(expected);
  expect(perspectiveFailed('Orders', failure)).toMatchObject(expected);
});

it('counts how often a stream fails at the same event, and starts again at another', () => {
  const [streamId, eventId] = [newId(), newId()];
  const event = { streamId, position: 3, envelope: { id: eventId, type: 'shop.OrderPlaced', scope: { userId: 'u' } } };
  const failure = { event, error: new TypeError('no') } as unknown as CountedFailure;
  const attemptAfter = (stops: Parameters<typeof counted>[1]) => counted([failure], stops)[0]!.attempt;
  expect(attemptAfter(new Map())).toBe(1);
  expect(attemptAfter(new Map([[streamId, { eventId, position: 3, attempts: 4 }]]))).toBe(5);
  expect(attemptAfter(new Map([[streamId, { eventId: newId(), position: 2, attempts: 4 }]]))).toBe(1);
  const [again] = counted([failure], new Map([[streamId, { eventId, position: 3, attempts: 1 }]]));
  expect(again).toEqual({ ...failure, attempt: 2 });
  expect(stoppedStream(again!)).toEqual({
    streamId,
    eventId,
    position: 3,
    errorName: 'TypeError',
    errorMessage: 'no',
    attempts: 2,
  });
  const failed = perspectiveFailed('Orders', again!);
  expect(failed).toMatchObject({ messageId: eventId, perspectiveName: 'Orders', attempt: 2, scope: { userId: 'u' } });
  const hostless = { ...again!, event: { ...event, envelope: { ...event.envelope, scope: null } } };
  expect('scope' in perspectiveFailed('Orders', hostless as unknown as CountedFailure)).toBe(
    'scope' in new PerspectiveFailed(),
  );
});

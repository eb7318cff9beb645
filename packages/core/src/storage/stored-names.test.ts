/** Databases store these names, so another one would make records of earlier versions unreadable. */
import { expect, it } from 'vitest';
import { uuid } from '../json/index.js';
import { DeadLetterCause } from './dead-letter-record.js';
import { OperationState } from './operation-record.js';
import { reactionSegmentOf, reactionSegments } from './reaction-segment.js';

it('stores the cause of a dead letter under its name', () => {
  expect(Object.values(DeadLetterCause)).toEqual([
    'Unreadable',
    'TooLarge',
    'Refused',
    'NoInbox',
    'AttemptsExhausted',
    'UnprovenOrigin',
    'OriginNotAccepted',
    'TypeMismatch',
    'SystemMessage',
    'ClockAhead',
    'Expired',
    'UnknownTenant',
  ]);
  expect(Object.keys(DeadLetterCause)).toEqual(Object.values(DeadLetterCause));
});

it('stores the state of an operation in lower case', () => {
  expect(OperationState).toEqual({
    Waiting: 'waiting',
    Running: 'running',
    Cancelling: 'cancelling',
    Done: 'done',
    Failed: 'failed',
    Cancelled: 'cancelled',
    Expired: 'expired',
  });
});

it('divides the streams of a reaction into eight segments by the last digit of their ids', () => {
  expect(reactionSegments).toBe(8);
  const segments = Array.from('0123456789abcdef', (digit) =>
    reactionSegmentOf(uuid(`01912d68-783e-7a03-8467-5661c1243ad${digit}`)),
  );
  expect(segments).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]);
});

import { expect, it } from 'vitest';
import type { Uuid } from '../json/index.js';
import { newId, wrap } from '../messages/index.js';
import { ConcurrencyConflictError, type PendingRecord } from '../storage/index.js';
import { ReadPositions } from './read-positions.js';

const [streamId, other] = [newId(), newId()];
const pendingRecord = (id: Uuid, expectedPosition?: number): PendingRecord => {
  const { timestamp, ...message } = wrap('test.Happened', {});
  return { ...message, streamId: id, body: '{}', timestamp: timestamp.getTime(), expectedPosition };
};
const positionsOf = (events: readonly PendingRecord[]) => events.map(({ expectedPosition }) => expectedPosition);

it('expects the lowest position up to which a stream was read', () => {
  const reads = new ReadPositions();
  for (const position of [5, 3, 4]) reads.note(streamId, position);
  const events = [pendingRecord(streamId), pendingRecord(streamId)];
  for (const event of events) reads.appended(event);
  expect(positionsOf(reads.expectedBy(events))).toEqual([3, 4]);
});

it('expects a position in each stream that was read', () => {
  const reads = new ReadPositions();
  reads.note(streamId, 3);
  reads.note(other, 7);
  const events = [pendingRecord(streamId), pendingRecord(other), pendingRecord(newId())];
  for (const event of events) reads.appended(event);
  expect(positionsOf(reads.expectedBy(events))).toEqual([3, 7, undefined]);
});

it('expects nothing for events that were appended before the stream was read, but counts them', () => {
  const reads = new ReadPositions();
  const [before, after] = [pendingRecord(streamId), pendingRecord(streamId)];
  reads.appended(before);
  reads.note(streamId, 3);
  expect(positionsOf(reads.expectedBy([before]))).toEqual([undefined]);
  reads.appended(after);
  expect(positionsOf(reads.expectedBy([before, after]))).toEqual([undefined, 4]);
});

it('does not change the position of an event that has one of its own', () => {
  const reads = new ReadPositions();
  reads.note(streamId, 3);
  const [own, anywhere, dependent] = [pendingRecord(streamId, 9), pendingRecord(streamId), pendingRecord(streamId)];
  reads.appended(dependent);
  expect(positionsOf(reads.expectedBy([own, anywhere, dependent]))).toEqual([9, undefined, 5]);
});

it.each([
  [2, false],
  [3, true],
  [4, true],
  [5, false],
])('is outdated by a conflict at position %i, after a read up to 3 and two events: %s', (position, isOutdated) => {
  const reads = new ReadPositions();
  const events = [pendingRecord(other), pendingRecord(streamId), pendingRecord(streamId), pendingRecord(other)];
  const conflict = new ConcurrencyConflictError(streamId, position, 8);
  expect(reads.isOutdatedBy(conflict, events), 'nothing was read').toBe(false);
  reads.note(other, 3);
  expect(reads.isOutdatedBy(conflict, events), 'another stream was read').toBe(false);
  reads.note(streamId, 3);
  expect(reads.isOutdatedBy(conflict, events)).toBe(isOutdated);
});

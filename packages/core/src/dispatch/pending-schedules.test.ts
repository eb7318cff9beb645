import { expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import type { ScheduleChanges, ScheduledRecord } from '../storage/index.js';
import { combinedSchedules, PendingSchedules } from './pending-schedules.js';

function scheduled(key: string | null, tenantId?: string): ScheduledRecord {
  const id = newId();
  const scope = tenantId === undefined ? null : { tenantId };
  const cause = { correlationId: id, causationId: null };
  const message = { id, type: 'test.Remind', body: '{}', timestamp: 0, ...cause, scope, metadata: {} };
  return { due: { afterMs: 1 }, key, message };
}

function pending(...records: ScheduledRecord[]): PendingSchedules {
  const schedules = new PendingSchedules();
  for (const record of records) schedules.add(record);
  return schedules;
}

it('adds every command without a key, and cancels nothing for it', () => {
  const [first, second] = [scheduled(null), scheduled(null)];
  expect(pending(first, second).changes).toEqual({ settled: null, cancelled: [], added: [first, second] });
});

it('replaces a command with the same key of the same tenant, also a stored one', () => {
  const [replaced, other, last] = [scheduled('k', 'acme'), scheduled('k'), scheduled('k', 'acme')];
  expect(pending(replaced, other, last).changes).toEqual({
    settled: null,
    cancelled: [
      { tenant: 'acme', key: 'k' },
      { tenant: '', key: 'k' },
    ],
    added: [other, last],
  });
});

it('cancels a command that was added before, and adds one that is scheduled afterwards', () => {
  const schedules = pending(scheduled('a'), scheduled('b'));
  schedules.cancel({ tenant: '', key: 'a' });
  schedules.cancel({ tenant: '', key: 'b' });
  const again = scheduled('b');
  schedules.add(again);
  expect(schedules.changes.added).toEqual([again]);
  expect(schedules.changes.cancelled).toHaveLength(2);
});

it('applies the changes of a nested unit of work after its own', () => {
  const [kept, cancelled, replaced] = [scheduled('kept'), scheduled('cancelled'), scheduled('replaced')];
  const [replacement, withoutKey] = [scheduled('replaced'), scheduled(null)];
  const outer = pending(kept, cancelled, replaced);
  const inner = pending(replacement, withoutKey);
  inner.cancel({ tenant: '', key: 'cancelled' });
  outer.addNested(inner);
  expect(outer.changes.added).toEqual([kept, replacement, withoutKey]);
  expect(outer.changes.cancelled.map(({ key }) => key)).toEqual(['kept', 'cancelled', 'replaced']);
});

it('is combined with the changes that are committed along with it, which come first', () => {
  const [own, next] = [scheduled('own'), scheduled(null)];
  const settled = newId();
  const along: ScheduleChanges = { settled, cancelled: [{ tenant: '', key: 'along' }], added: [next] };
  const schedules = pending(own);
  expect(combinedSchedules(undefined, undefined)).toBeUndefined();
  expect(combinedSchedules(schedules, undefined)).toEqual(schedules.changes);
  expect(combinedSchedules(undefined, along)).toBe(along);
  expect(combinedSchedules(schedules, along)).toEqual({
    settled,
    cancelled: [
      { tenant: '', key: 'along' },
      { tenant: '', key: 'own' },
    ],
    added: [next, own],
  });
});

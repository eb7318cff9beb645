import { expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { firstIdOf, newId, SystemEventStream } from '../../messages/index.js';
import type { PendingRecord } from '../event-record.js';
import { isOrdered, withNewIds } from './event-ids.js';

function systemEvent(id: Uuid): PendingRecord {
  const { streamId } = SystemEventStream;
  const envelope = { timestamp: 0, correlationId: id, causationId: null, scope: null, metadata: {} };
  return { id, type: 'test.Happened', streamId, body: '{}', ...envelope, expectedPosition: undefined };
}

it('gives an event an id above that of the previous event, also if a host whose clock is ahead has created that one', () => {
  const ahead = firstIdOf(Date.now() + 60_000);
  const events = [systemEvent(ahead), systemEvent(newId())];
  const renewed = withNewIds({ events, outgoing: [], delivered: null, received: [] }, new Map());
  expect(renewed.events[0]!.id, 'the first one is in order').toBe(ahead);
  expect(isOrdered(renewed)).toBe(true);
});

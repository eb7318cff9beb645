import {
  SystemEventStream,
  type CommandAudited,
  type EventAudited,
  type Service,
  type StoredEvent,
  type Uuid,
} from '@svc/core';
import { collect } from '@svc/core/testing';
import { expect } from 'vitest';
import type { Counted } from './trial-service.mjs';

/** A number that a command appended to a stream: `stream number`. */
export type Entry = string;

export const entry = (streamId: Uuid, number: number): Entry => `${streamId} ${number}`;

/** Waits until every event that is kept is in the audit trail, and returns what was kept, in order. */
export async function expectAudited(service: Service, limitMs = 15_000): Promise<Entry[]> {
  const end = performance.now() + limitMs;
  for (;;) {
    const all = await collect(service.eventStore.readAll());
    const stored = all.filter(({ envelope }) => envelope.type === 'trial.Counted');
    const audits = await collect(service.eventStore.readStream(SystemEventStream.streamId));
    // The stream tells of migrations as well.
    const complete = audits.filter(({ envelope }) => envelope.type.endsWith('Audited')).length >= 2 * stored.length;
    if (complete || performance.now() > end) {
      expectOnceAndInOrder(stored, audits as StoredEvent[]);
      return stored.map(({ streamId, envelope }) => entry(streamId, (envelope.payload as Counted).number));
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Each event and each command has one audit record, and those of one stream stand in its order. */
function expectOnceAndInOrder(stored: readonly StoredEvent[], audits: readonly StoredEvent[]): void {
  const events = audits.filter(({ envelope }) => envelope.type === 'svc.EventAudited');
  const commands = audits.filter(({ envelope }) => envelope.type === 'svc.CommandAudited');
  const audited = events.map(({ envelope }) => envelope.payload as EventAudited);
  expect(audited.map(({ originalEventId }) => originalEventId!).toSorted()).toEqual(
    stored.map(({ envelope }) => envelope.id).toSorted(),
  );
  const causes = commands.map(({ envelope }) => (envelope.payload as CommandAudited).correlationId!);
  expect(causes.toSorted()).toEqual(stored.map(({ envelope }) => envelope.correlationId).toSorted());
  const reached = new Map<string, number>();
  for (const { originalStreamId, originalStreamPosition } of audited) {
    expect(originalStreamPosition).toBe((reached.get(originalStreamId) ?? -1) + 1);
    reached.set(originalStreamId, originalStreamPosition);
  }
  expect(audits.map(({ position }) => position)).toEqual(audits.map((_, i) => i));
}

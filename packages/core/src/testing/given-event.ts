import { uuid, type Uuid } from '../json/index.js';
import type { EnvelopeScope } from '../messages/index.js';

/** An event with its stream, timestamp and scope, for a test of a perspective or receptor. */
export interface GivenEvent<TEvent> {
  readonly event: TEvent;
  /** Default: the default stream of the test. */
  readonly streamId?: Uuid;
  /** Default: a minute after the previous event. */
  readonly timestamp?: Date;
  readonly scope?: EnvelopeScope | null;
}

/** The stream of events without a `streamId`. */
export const defaultStreamId = uuid('00000000-0000-7000-8000-000000000001');

/** The time of the first event without a `timestamp`. */
export const firstTime = Date.UTC(2026, 0, 1);
export const minute = 60_000;

export function isGiven<TEvent>(event: TEvent | GivenEvent<TEvent>): event is GivenEvent<TEvent> {
  if (typeof event !== 'object' || event === null) return false;
  return Object.getPrototypeOf(event) === Object.prototype && 'event' in event;
}

/** Freezes a value, so that code that changes it fails. */
export function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFrozen(part);
  }
  return value;
}

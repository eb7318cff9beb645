import type { Uuid } from '../json/index.js';
import type { MessageEnvelope } from '../messages/index.js';
import type { NamedDecider } from './decider.js';

/** The state of a stream after one of its events. */
export interface StreamState {
  readonly state: unknown;
  /** Whether the decider processes any of the events. */
  readonly exists: boolean;
  /** The position of the event; -1: there is none. */
  readonly position: number;
  /** The id of the event; null: there is none. */
  readonly eventId: Uuid | null;
}

/** The state of a stream without events. */
export function initialState({ decider }: NamedDecider): StreamState {
  return { state: decider.initial() as unknown, exists: false, position: -1, eventId: null };
}

/** The state after one more event. */
export function evolved(
  { decider, events }: NamedDecider,
  before: StreamState,
  position: number,
  { id, payload }: MessageEnvelope,
): StreamState {
  if (!events.has(payload.constructor)) return { ...before, position, eventId: id };
  return { state: decider.evolve(before.state, payload) as unknown, exists: true, position, eventId: id };
}

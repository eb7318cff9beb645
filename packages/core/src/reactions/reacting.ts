import { LinkedSignal, type RunReaction } from '../dispatch/index.js';
import type { Uuid } from '../json/index.js';
import { ConcurrencyConflictError, type EventLog, type FailedStream } from '../storage/index.js';
import { ReactionFailed, type SystemEventEmitter } from '../system-events/index.js';
import { actingEnvelope, reactionKey, requireShortChain } from './acting-event.js';
import type { NamedReaction } from './named-reaction.js';
import type { AnyRecord, ReactionAttempt } from './reaction-parts.js';

/** How often a run is repeated at once because another command has appended to a stream that it read. */
const mostConflicts = 3;

/** What runs reactions in one database. */
export interface ReactingParts {
  readonly log: EventLog;
  readonly run: RunReaction;
  readonly emitter: SystemEventEmitter;
}

/** Runs a reaction for a stored event, and commits its changes together with the event. */
export async function react(
  { log, run }: ReactingParts,
  { name, start }: NamedReaction,
  record: AnyRecord,
  { segment, term, attempt, signal }: ReactionAttempt,
): Promise<void> {
  const { envelope: stored } = log.toEventOr(record, (error) => {
    throw error;
  });
  requireShortChain(name, stored);
  const envelope = actingEnvelope(name, stored);
  const key = (): Uuid => reactionKey(name, record.id);
  // Its own signal: runs that wait for a stream would add more listeners to a shared one than Node allows without a warning.
  const cancellation = new LinkedSignal(signal);
  const reacted = { reaction: name, segment, term, eventId: record.id };
  try {
    for (let conflicts = 0; ; conflicts++) {
      try {
        return await run({ name, start, envelope, key, attempt, cancellation, reacted });
      } catch (error) {
        if (!(error instanceof ConcurrencyConflictError) || conflicts === mostConflicts) throw error;
      }
    }
  } finally {
    cancellation.release();
  }
}

/** Emits that a stream is parked, for the tenant of the event. */
export async function emitFailed(
  { log, emitter }: ReactingParts,
  { name }: NamedReaction,
  record: AnyRecord,
  { streamId, eventId, errorName, errorMessage, attempts }: FailedStream,
): Promise<void> {
  const cause = actingEnvelope(name, log.toEventOr(record, () => ({})).envelope);
  const event = Object.assign(new ReactionFailed(), {
    messageId: eventId,
    messageType: record.type,
    streamId,
    reactionName: name,
    errorName,
    errorMessage,
    attempt: attempts,
    ...(record.scope !== null && { scope: record.scope }),
    timestamp: new Date(),
  });
  await emitter.emit(event, { cause });
}

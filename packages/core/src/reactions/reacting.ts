import { LinkedSignal, type RunReaction } from '../dispatch/index.js';
import type { Uuid } from '../json/index.js';
import { observeId } from '../messages/index.js';
import { ConcurrencyConflictError, type EventLog, type FailedStream } from '../storage/index.js';
import { ReactionFailed, type SystemEventEmitter } from '../system-events/index.js';
import { actingEnvelope, reactionKey, requireShortChain } from './acting-event.js';
import { failedAttempt, type FailedAttempt } from './failed-attempt.js';
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

/**
 * Runs a reaction for a stored event, and commits its changes together with the event. Null: the event is processed. Throws errors that are not the
 * reaction's own. One function, because each promise costs as much as the rest of a short run.
 */
export async function react(
  { log, run }: ReactingParts,
  { name, start }: NamedReaction,
  record: AnyRecord,
  { segment, term, attempt, signal }: ReactionAttempt,
): Promise<FailedAttempt | null> {
  const { id } = record;
  // Ids that the reaction creates are greater than that of its event.
  observeId(id);
  // Its own signal: runs that wait for a stream would add more listeners to a shared one than Node allows without a warning.
  const cancellation = new LinkedSignal(signal);
  try {
    const { envelope: stored } = log.toEventOr(record, rethrow);
    requireShortChain(name, stored);
    const envelope = actingEnvelope(name, stored);
    const key = (): Uuid => reactionKey(name, id);
    const reacted = { reaction: name, segment, term, eventId: id };
    for (let conflicts = 0; ; conflicts++) {
      try {
        await run({ name, start, envelope, key, attempt, cancellation, reacted });
        return null;
      } catch (error) {
        if (!(error instanceof ConcurrencyConflictError) || conflicts === mostConflicts) throw error;
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    return failedAttempt(error, id);
  } finally {
    cancellation.release();
  }
}

function rethrow(error: unknown): never {
  throw error;
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

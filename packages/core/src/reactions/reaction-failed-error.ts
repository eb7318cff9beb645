import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import type { NamedReaction } from './named-reaction.js';
import type { AnyRecord } from './reaction-parts.js';
import { RetryAfterError } from './retry-after-error.js';

/** An attempt that has failed. */
interface Failed {
  readonly attempt: number;
  /** When the next attempt begins; null: the stream is parked. */
  readonly retryMs: number | null;
  readonly error: unknown;
}

/** A reaction has failed at an event, for the log: its cause is the error of the reaction, with its stack. */
export class ReactionFailedError extends ServiceError {
  readonly reactionName: string;
  readonly streamId: Uuid;
  readonly eventId: Uuid;
  readonly eventType: string;
  readonly attempt: number;

  constructor(
    { name, isProcess }: NamedReaction,
    { id, type, streamId }: AnyRecord,
    { attempt, retryMs, error }: Failed,
  ) {
    const outcome =
      retryMs === null
        ? `The stream is parked. Fix the cause, then run "svc reactions retry ${name}".`
        : `The next attempt is in ${Math.ceil(retryMs / 1_000)} s.`;
    super(
      'SVC_REACTION_FAILED',
      `The ${isProcess ? 'process' : 'reaction'} ${name} failed at event ${id} (${type}) of stream ${streamId}, attempt ${attempt}. ${outcome}`,
      { cause: error },
    );
    // Where svc noticed it says nothing: the log shows the stack of the cause.
    this.stack = `${this.name}: ${this.message}`;
    this.reactionName = name;
    this.streamId = streamId;
    this.eventId = id;
    this.eventType = type;
    this.attempt = attempt;
  }
}

/** Reports the first failed attempt of an event and the last one. A reaction that asks for a later retry has not failed yet. */
export function reportFailed(
  named: NamedReaction,
  record: AnyRecord,
  failed: Failed,
  report: (error: unknown) => void,
): void {
  const { attempt, retryMs, error } = failed;
  if (retryMs !== null && (attempt > 1 || error instanceof RetryAfterError)) return;
  report(new ReactionFailedError(named, record, failed));
}

import type { Uuid } from '../json/index.js';
import { DeferredSignal, type Cancellation } from './cancellation.js';
import type { IdempotencyClaim } from './idempotency-claim.js';

/** A request as it arrived at the host. */
export interface ReceivedRequest {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The exact bytes of the body. */
  readonly rawBody: Uint8Array;
}

/** A request that runs commands: what cancels them, and what is known of the request while they run. */
export class CommandRequest extends DeferredSignal {
  /** The claim of a request under an idempotency key. */
  claim: IdempotencyClaim | undefined;
  /** The last event that was committed for the request; undefined when none was. */
  lastEventId: Uuid | undefined;

  /** The request as it arrived; null if the host does not pass it on. */
  received(): ReceivedRequest | null {
    return null;
  }

  override get signal(): AbortSignal {
    const signal = super.signal;
    behindHooks.set(signal, this);
    return signal;
  }
}

/** The requests behind what hooks are given of them, which may pass on either: the signal and, under an idempotency key, the command. */
const behindHooks = new WeakMap<object, CommandRequest>();

/**
 * Lets the command of a request under an idempotency key take the claim. A hook may replace the signal, for example with one that has a
 * time-out, or the command with a copy: the other one still leads to the request.
 */
export function offerClaim(command: object, cancellation: Cancellation): void {
  if (!(cancellation instanceof CommandRequest) || cancellation.claim === undefined) return;
  cancellation.claim.open();
  behindHooks.set(command, cancellation);
}

/** The claim of the request that a command belongs to, by its signal or by the command itself. */
export function claimOf(command: object, cancellation: Cancellation): IdempotencyClaim | undefined {
  return (requestOf(cancellation) ?? behindHooks.get(command))?.claim;
}

/** Notes the last event that was committed for the request that a command belongs to, if it belongs to one. */
export function noteLastEvent(cancellation: Cancellation, eventId: Uuid): void {
  const request = requestOf(cancellation);
  if (request !== undefined) request.lastEventId = eventId;
}

function requestOf(cancellation: Cancellation): CommandRequest | undefined {
  return cancellation instanceof CommandRequest ? cancellation : behindHooks.get(cancellation);
}

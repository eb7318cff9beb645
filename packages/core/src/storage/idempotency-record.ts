import type { Uuid } from '../json/index.js';

/** The result of a command that was sent with an idempotency key. It is committed together with the changes of the command. */
export interface IdempotencyRecord {
  /** A SHA-256 of the key, the command and the caller, in hexadecimal digits. */
  readonly id: string;
  /** A SHA-256 of the request, in hexadecimal digits. */
  readonly requestHash: string;
  /** The id of the command. A record that is committed again after a lost response is recognized by it. */
  readonly messageId: Uuid;
  /** The result as JSON, byte for byte. */
  readonly result: string;
}

/** A stored result. */
export interface IdempotentResult extends IdempotencyRecord {
  /** The last event of the command, for callers that read its effects. Null: it has none, or an earlier version of svc stored the result. */
  readonly lastEventId: Uuid | null;
}

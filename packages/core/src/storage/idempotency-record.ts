import type { Uuid } from '../json/index.js';

/** The result of a command that was sent under an idempotency key. It is kept with what the command changed, or not at all. */
export interface IdempotencyRecord {
  /** The key, together with the command and the caller it belongs to: a SHA-256 in hexadecimal digits. */
  readonly id: string;
  /** What the command was asked for: a SHA-256 in hexadecimal digits. */
  readonly requestHash: string;
  /** The command that was run. A record that is committed again, because its answer got lost, is known by it. */
  readonly messageId: Uuid;
  /** Its result, as JSON, to the letter. */
  readonly result: string;
}

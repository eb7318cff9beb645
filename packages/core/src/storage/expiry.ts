/** How old things get before they are forgotten, in milliseconds. */
export interface Expiry {
  /** Notes of messages that came from elsewhere. One that comes again after that is taken for new. */
  readonly receivedMs: number;
  /** Results under idempotency keys. */
  readonly idempotencyKeysMs: number;
  /** Operators' requests that have ended, since they were made. */
  readonly operationsMs: number;
}

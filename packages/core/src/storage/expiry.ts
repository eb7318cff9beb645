/** How long records are retained, in milliseconds. */
export interface Expiry {
  /** The ids in the inbox. A message that arrives again after this time is processed as a new one. */
  readonly receivedMs: number;
  /** Results under idempotency keys. */
  readonly idempotencyKeysMs: number;
  /** Completed operations, counted from their request. */
  readonly operationsMs: number;
}

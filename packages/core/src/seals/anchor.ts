/** What an anchor receives. */
export interface AnchoredCheckpoint {
  /** The signed checkpoint, as canonical JSON. */
  readonly checkpoint: string;
  /**
   * What the seal stores of each event since the previous checkpoint, 32 bytes for each. An anchor that stores it lets `svc audit verify` name the event
   * if the whole history was rewritten; the checkpoint alone names a range of events.
   */
  readonly entries?: Uint8Array;
}

/**
 * Stores checkpoints where the operators of the database cannot change them. It receives each checkpoint at least once and in order. A rejection is
 * retried, and delays neither sealing nor commands.
 */
export interface CheckpointAnchor {
  /** Identifies the anchor among those of the service, even after a restart. */
  readonly name: string;
  store(checkpoint: AnchoredCheckpoint, signal: AbortSignal): Promise<void>;
}

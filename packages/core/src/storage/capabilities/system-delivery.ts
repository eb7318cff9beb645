/**
 * The capability `systemDelivery`: the database itself appends the messages that wait for the system stream.
 *
 * Without it, the host reads the messages, builds the events and commits them.
 */
export interface StorageSystemDelivery {
  /** Whether commits append system events at once where `systemAtOnce` allows it. If one must queue them, it raises `onOutgoing`. */
  readonly isAtOnce: boolean;

  /**
   * Appends the oldest messages that wait for the system stream, at most `limit` and in their order, and removes them from the outbox in one
   * transaction. Returns how many events of each type were appended: none while another host delivers the lane.
   */
  deliver(limit: number): Promise<ReadonlyMap<string, number>>;
}

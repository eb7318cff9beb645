/** The capability `notifications`: hosts that share a database wake each other. */
export interface StorageNotifications {
  /** Calls `listener` when another process may have put messages into the outbox. */
  onOutgoing(listener: () => void): void;
  /**
   * Wakes the other hosts that hold leases of lanes that start with a prefix: their `onOutgoing` listeners are called. Does not wait for
   * them.
   */
  wakeHolders(prefix: string): void;
}

const noOtherHost: StorageNotifications = { onOutgoing: () => {}, wakeHolders: () => {} };

/** The capability of a storage; without it, there is no other process to wake. */
export function notificationsOf(storage: { readonly notifications?: StorageNotifications }): StorageNotifications {
  return storage.notifications ?? noOtherHost;
}

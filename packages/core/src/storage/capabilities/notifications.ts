/** The capability `notifications`: hosts that share a database wake each other. */
export interface StorageNotifications {
  /** Calls `listener` when another process may have put messages into the outbox. */
  onOutgoing(listener: () => void): void;
  /** Wakes the host that holds the lease of a lane, if it is another one: its `onOutgoing` listeners are called. Does not wait for it. */
  tellHolder(lane: string): void;
}

const noOtherHost: StorageNotifications = { onOutgoing: () => {}, tellHolder: () => {} };

/** The capability of a storage; without it, there is no other process to wake. */
export function notificationsOf(storage: { readonly notifications?: StorageNotifications }): StorageNotifications {
  return storage.notifications ?? noOtherHost;
}

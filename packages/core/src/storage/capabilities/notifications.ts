/** The capability `notifications`: hosts that share a database wake each other. */
export interface StorageNotifications {
  /** Calls `listener` when there may be messages in the outbox that this process did not put there. */
  onOutgoing(listener: () => void): void;
  /** Wakes the host that holds a lane, when that is another one: its `onOutgoing` listeners are called. Nothing waits for it. */
  tellHolder(lane: string): void;
}

const noOtherHost: StorageNotifications = { onOutgoing: () => {}, tellHolder: () => {} };

/** The capability of a storage; without it, this process itself does everything there is to notice. */
export function notificationsOf(storage: { readonly notifications?: StorageNotifications }): StorageNotifications {
  return storage.notifications ?? noOtherHost;
}

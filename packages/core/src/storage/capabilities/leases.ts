/** A lease that a host holds. */
export interface HeldLease {
  readonly lane: string;
  /** Identifies the host until it ends. */
  readonly holder: string;
  /** The machine and the process of the host, for operators; null: unknown. */
  readonly process: string | null;
  /** Whether this host holds it. */
  readonly isOwn: boolean;
  /** How long it lasts unless it is renewed. */
  readonly expiresInMs: number;
}

/** The capability `leases`: several hosts share the database, and some work is done by one of them at a time. */
export interface StorageLeases {
  /**
   * Whether this host holds the lease of a lane. Each call renews the lease. It ends when the host has not called for a while, as after a
   * crash, or closes the storage.
   */
  hold(lane: string): Promise<boolean>;
  /** Ends a lease of this host, so that another host can take it at once. */
  release(lane: string): Promise<void>;
  /** The leases of lanes that start with a prefix, of all hosts. */
  readHeld(prefix: string): Promise<readonly HeldLease[]>;
  /** Calls `listener` when another host may have released leases. */
  onReleased(listener: () => void): void;
}

interface MayHaveLeases {
  readonly leases?: StorageLeases;
}

/** No other host can use the storage: this one holds every lease. */
const onlyHost: StorageLeases = {
  hold: () => Promise.resolve(true),
  release: () => Promise.resolve(),
  readHeld: () => Promise.resolve([]),
  onReleased: () => {},
};

/** The capability of a storage; without it, this host is the only one and holds every lease. */
export function leasesOf({ leases }: MayHaveLeases): StorageLeases {
  return leases ?? onlyHost;
}

/** Whether other hosts may append to the same database. */
export function isShared({ leases }: MayHaveLeases): boolean {
  return leases !== undefined;
}

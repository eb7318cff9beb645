/** The capability `leases`: several hosts share the database, and some work is done by one of them at a time. */
export interface StorageLeases {
  /**
   * Whether this host holds the lease of a lane. Each call renews the lease. It ends when the host has not called for a while, as after a
   * crash, or closes the storage.
   */
  hold(lane: string): Promise<boolean>;
}

interface MayHaveLeases {
  readonly leases?: StorageLeases;
}

/** No other host can use the storage: this one holds every lease. */
const onlyHost: StorageLeases = { hold: () => Promise.resolve(true) };

/** The capability of a storage; without it, this host is the only one and holds every lease. */
export function leasesOf({ leases }: MayHaveLeases): StorageLeases {
  return leases ?? onlyHost;
}

/** Whether other hosts may append to the same database. */
export function isShared({ leases }: MayHaveLeases): boolean {
  return leases !== undefined;
}

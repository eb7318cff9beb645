/**
 * The capability `connection`: the storage uses its database over a connection or in a file, so a response can be lost. A record that is
 * committed again after a lost response is recognized by its ids.
 *
 * Without it, the service has no health check `svc_relational_db`.
 */
export interface StorageConnection {
  /** Uses a connection that is already open, and opens none. Rejects if the database does not answer. */
  ping(): Promise<void>;
}

/**
 * The capability `connection`: the storage reaches its database over a connection or in a file, so an answer can get lost. A record
 * that is committed again, because its answer was lost, is recognized by its ids.
 *
 * Without it, the service has no health check `svc_relational_db`.
 */
export interface StorageConnection {
  /** Asks over a connection that is open already, and opens none. Rejects when the database does not answer. */
  ping(): Promise<void>;
}

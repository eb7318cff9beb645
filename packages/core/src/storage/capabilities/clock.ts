/**
 * The capability `clock`: the database has another clock than this host, and all its hosts go by that one.
 *
 * Without it, `DatabaseClock` goes by the clock of the host, and the service has no health check `svc_clock`.
 */
export interface StorageClock {
  /** The time of the database, in milliseconds since 1970. Asks over a connection that is open already. */
  read(): Promise<number>;
}

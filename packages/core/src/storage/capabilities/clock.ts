/**
 * The capability `clock`: the database has its own clock, and all its hosts use that one.
 *
 * Without it, `DatabaseClock` uses the clock of the host, and the service has no health check `svc_clock`.
 */
export interface StorageClock {
  /** The time of the database, in milliseconds since 1970. Uses a connection that is already open. */
  read(): Promise<number>;
}

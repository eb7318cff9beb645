/** A PostgreSQL server and the role of a connection, for reports. */
export interface ServerReport {
  /** Such as `16.3`. */
  readonly version: string;
  /** The major version. */
  readonly major: number;
  /** The role of the connection. */
  readonly role: string;
  /** The roles that `svc database roles` has separated; null: the database has a single role. */
  readonly separate: { readonly owner: string; readonly runtime: string } | null;
}

export interface Cluster {
  readonly port: number;
  /** Of the database `postgres`; the user may make others. */
  readonly url: string;
  urlOf(database: string): string;
  /** The id of the running server process. */
  readonly processId: number;
  start(): Promise<void>;
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Ends the server with SIGKILL. */
  kill(): Promise<void>;
  /** Makes a streaming standby under this `application_name`. */
  createStandby(name: string, settings?: Readonly<Record<string, string>>): Promise<Cluster>;
  /** Makes this cluster, which must not run, a standby of a running one. */
  follow(primary: Cluster, name: string): Promise<void>;
  /** Makes a standby a primary. */
  promote(): Promise<void>;
  remove(): Promise<void>;
}

export interface ClusterParts {
  /** Files of the data folder, such as a certificate, by their names. */
  readonly files?: Readonly<Record<string, string>>;
  /** Further lines of `pg_hba.conf`. */
  readonly access?: readonly string[];
}

export function createCluster(settings?: Readonly<Record<string, string>>, parts?: ClusterParts): Promise<Cluster>;

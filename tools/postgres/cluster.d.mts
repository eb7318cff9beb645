export interface Cluster {
  readonly port: number;
  /** Of the database `postgres`; the user may make others. */
  readonly url: string;
  urlOf(database: string): string;
  start(): Promise<void>;
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  remove(): Promise<void>;
}

export interface ClusterParts {
  /** Files of the data folder, such as a certificate, by their names. */
  readonly files?: Readonly<Record<string, string>>;
  /** Further lines of `pg_hba.conf`. */
  readonly access?: readonly string[];
}

export function createCluster(settings?: Readonly<Record<string, string>>, parts?: ClusterParts): Promise<Cluster>;

export interface Cluster {
  readonly port: number;
  /** Of the database `postgres`; the user may make others. */
  readonly url: string;
  urlOf(database: string): string;
  start(): Promise<void>;
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  remove(): Promise<void>;
}

export function createCluster(settings?: Readonly<Record<string, string>>): Promise<Cluster>;

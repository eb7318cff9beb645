export interface Pooler {
  /** Of the database behind the pooler. */
  readonly url: string;
  /** Of the pooler's own console. */
  readonly adminUrl: string;
  remove(): Promise<void>;
}

export function createPooler(url: string, settings?: Readonly<Record<string, string>>): Promise<Pooler>;

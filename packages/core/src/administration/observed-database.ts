import type { CheckedReactions } from '../health/index.js';
import type { SealsStanding } from '../seals/index.js';
import type { PerspectiveStanding, Storage } from '../storage/index.js';

/** What a host knows about one of its databases. */
export interface ObservedDatabase {
  readonly storage: Storage;
  /** The time of the database, in milliseconds since 1970. */
  readonly now: () => number;
  readonly perspectives: {
    readonly names: readonly string[];
    readStandings(limit: number): Promise<readonly PerspectiveStanding[]>;
  };
  readonly reactions: CheckedReactions;
  /** Null: the service does not seal its log. */
  readonly seals: { readonly standing: SealsStanding } | null;
}

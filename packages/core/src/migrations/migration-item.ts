import { ServiceError } from '../errors/index.js';
import type { ModelTables } from '../storage/index.js';
import { contentHash, essenceOf } from './content-hash.js';
import { definitionText, requireValidDefinition, type TableDefinition } from './table-definition.js';

interface Item {
  /** `infrastructure/events`, `perspective/OrderSummary`. */
  readonly key: string;
  /** The oldest version of the library that can work with it. Older ones refuse to start. Default: any. */
  readonly requires?: string;
}

/** A part of the schema as ordered SQL. Steps are only ever added at the end: what was run is known by the hash of the steps so far. */
export interface SqlItem extends Item {
  readonly kind: 'sql';
  /** The table that the first step makes. Where it is there and nothing is recorded, the first step counts as run. */
  readonly creates: string;
  readonly steps: readonly string[];
}

/** A table that is made, extended or rewritten to match its definition. */
export interface TableItem extends Item {
  readonly kind: 'table';
  readonly definition: TableDefinition;
  /** Fills the new tables of a perspective from events; needed once a change takes more than copying. */
  readonly replay?: Replay;
}

/** A part of the schema with its own status, such as `infrastructure/events`. */
export type MigrationItem = SqlItem | TableItem;

/** What a replay is told. */
export interface ReplayTarget {
  /** The tables to fill. They may hold what an earlier call, or an earlier run of the program, has filled in. */
  readonly beside: ModelTables;
  readonly signal: AbortSignal;
}

/**
 * Lets what is kept beside a perspective take all events, and resolves once it has. When the serving tables have come further before the two could
 * be swapped, it is called again.
 */
export type Replay = (target: ReplayTarget) => Promise<void>;

/** An item with what it is known by. */
export interface HashedItem {
  readonly item: MigrationItem;
  readonly hash: string;
  /** For SQL: the hashes after each step; the last is the item's. */
  readonly stepHashes: readonly string[];
}

export async function hashed(item: MigrationItem): Promise<HashedItem> {
  if (item.kind === 'table') {
    return { item, hash: await contentHash(definitionText(item.definition)), stepHashes: [] };
  }
  const essences = item.steps.map(essenceOf);
  const stepHashes = await Promise.all(essences.map((_, i) => contentHash(essences.slice(0, i + 1).join('\n'))));
  return { item, hash: stepHashes.at(-1)!, stepHashes };
}

/** Refuses, before anything is run, what could not be run. */
export function requireValidItems(items: readonly MigrationItem[]): void {
  const keys = new Set<string>();
  for (const item of items) {
    if (keys.has(item.key)) {
      throw new ServiceError(
        'SVC_INVALID_MIGRATION',
        `Two migrations have the key ${item.key}. Give each its own key.`,
      );
    }
    keys.add(item.key);
    if (item.kind === 'table') requireValidDefinition(item.key, item.definition);
    else if (item.steps.length === 0)
      throw new ServiceError('SVC_INVALID_MIGRATION', `Cannot run the migration ${item.key}: it has no steps.`);
  }
}

import { ServiceError } from '../errors/index.js';
import type { ModelTables } from '../storage/index.js';
import { contentHash, essenceOf } from './content-hash.js';
import { definitionText, requireValidDefinition, type TableDefinition } from './table-definition.js';

interface Item {
  /** `infrastructure/events`, `perspective/OrderSummary`. */
  readonly key: string;
  /** The oldest version of the library that can work with it. Programs with an older one do not start. Default: any. */
  readonly requires?: string;
}

/** A part of the schema as ordered SQL. Steps are only added at the end, because the hash of all previous steps identifies those that were run. */
export interface SqlItem extends Item {
  readonly kind: 'sql';
  /** The table that the first step creates. If it exists and nothing is recorded, the first step counts as run. */
  readonly creates: string;
  readonly steps: readonly string[];
  /** Indexes that are built after the steps, in the background, while hosts write. The steps create those of an empty table. */
  readonly indexes?: readonly BackgroundIndex[];
}

/** An index that a database builds without blocking those who write to its table. */
export interface BackgroundIndex {
  readonly name: string;
  /** What follows `ON` in the statement that creates it. */
  readonly definition: string;
}

/** A table that is created, extended or rewritten to match its definition. */
export interface TableItem extends Item {
  readonly kind: 'table';
  readonly definition: TableDefinition;
  /** Fills the new tables of a perspective from events; required for changes that a copy cannot make. */
  readonly replay?: Replay;
}

/** A part of the schema with its own status, such as `infrastructure/events`. */
export type MigrationItem = SqlItem | TableItem;

/** The tables that a replay fills. */
export interface ReplayTarget {
  /** The tables to fill. An earlier call, or an earlier run of the program, may have filled a part of them. */
  readonly tables: ModelTables;
  readonly signal: AbortSignal;
}

/**
 * Applies all events to the new tables of a perspective, and resolves once they have caught up. It is called again if the serving tables have
 * processed further events before the swap.
 */
export type Replay = (target: ReplayTarget) => Promise<void>;

/** An item with its hash. */
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

/** Rejects invalid items before any of them is run. */
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

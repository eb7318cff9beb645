import { ServiceError } from '../errors/index.js';
import { MigrationStatus, MigrationStrategy } from '../system-events/index.js';
import { isNewer, libraryVersion } from './library-version.js';
import type { MigrationDatabase, UnchangedItem } from './migration-database.js';
import type { HashedItem, SqlItem, TableItem } from './migration-item.js';
import type { MigrationRecord } from './migration-record.js';
import { canWorkWith, definitionOf, sameDefinition, strategyBetween } from './strategy.js';
import type { TableDefinition } from './table-definition.js';

/** An item and the action that it needs. */
export type PlannedItem = HashedItem & {
  readonly record: MigrationRecord | null;
  readonly oldHash: string | null;
  readonly description: string;
} & (
    | { readonly action: 'skip' }
    | { readonly action: 'apply'; readonly status: MigrationStatus; readonly sql: readonly string[] }
    | {
        readonly action: 'rewrite';
        readonly item: TableItem;
        readonly strategy: MigrationStrategy;
        readonly from: TableDefinition;
      }
    | { readonly action: 'refuse' }
  );

export type PlannedRewrite = Extract<PlannedItem, { action: 'rewrite' }>;

/** Plans each item, in order. Throws if a newer program has changed an item so that this one cannot work with it. */
export async function planOf(
  items: readonly HashedItem[],
  records: readonly MigrationRecord[] | null,
  database: MigrationDatabase,
  version = libraryVersion,
): Promise<readonly PlannedItem[]> {
  const known = new Map((records ?? []).map((record) => [record.key, record]));
  for (const { key, requiresVersion } of known.values()) {
    if (requiresVersion !== null && isNewer(requiresVersion, version))
      throw tooNew(key, `it needs version ${requiresVersion}`, version);
  }
  const unknown = items.filter(({ item }) => (known.get(item.key)?.hash ?? null) === null);
  const tables = unknown.map(({ item }) => tableOf(item));
  const existing = tables.length === 0 ? new Map<string, readonly string[]>() : await database.existing(tables);
  return items.map((item) => {
    const record = known.get(item.item.key) ?? null;
    const columns = existing.get(tableOf(item.item)) ?? null;
    return item.item.kind === 'sql'
      ? planSql(item, item.item, record, columns !== null, version)
      : planTable(item, item.item, record, columns, database, version);
  });
}

/** Items with an unchanged hash that are not recorded as Skipped yet. Records of failed and running items do not change. */
export function newlyUnchanged(plan: readonly PlannedItem[]): readonly UnchangedItem[] {
  const changed = new Set<MigrationStatus | undefined>([MigrationStatus.Applied, MigrationStatus.Updated]);
  return plan
    .filter(({ hash, oldHash, record }) => oldHash === hash && changed.has(record?.status))
    .map(({ item, hash }) => ({ key: item.key, hash }));
}

function planSql(
  hashedItem: HashedItem,
  item: SqlItem,
  record: MigrationRecord | null,
  exists: boolean,
  version: string,
): PlannedItem {
  const { hash, stepHashes } = hashedItem;
  const oldHash = record?.hash ?? null;
  const base = { ...hashedItem, record, oldHash };
  if (oldHash === hash) return { ...base, action: 'skip', description: unchanged };
  if (oldHash === null) {
    // The table exists without a record: the first step has created it.
    const sql = exists ? item.steps.slice(1) : item.steps;
    const description = exists ? 'It already existed; recorded.' : 'Applied for the first time.';
    return { ...base, action: 'apply', status: MigrationStatus.Applied, sql, description };
  }
  if (isOlder(record!, hash, version)) return { ...base, action: 'skip', description: leftAlone(record!) };
  const done = stepHashes.indexOf(oldHash) + 1;
  if (done === 0) {
    return {
      ...base,
      action: 'refuse',
      description: 'Its steps were changed after they were run. Restore them, and add a new step.',
    };
  }
  const sql = item.steps.slice(done);
  return {
    ...base,
    action: 'apply',
    status: MigrationStatus.Updated,
    sql,
    description: `Updated by ${counted(sql.length, 'step')}.`,
  };
}

function planTable(
  hashedItem: HashedItem,
  item: TableItem,
  record: MigrationRecord | null,
  columns: readonly string[] | null,
  database: MigrationDatabase,
  version: string,
): PlannedItem {
  const { hash } = hashedItem;
  const oldHash = record?.hash ?? null;
  const base = { ...hashedItem, record, oldHash };
  if (oldHash === hash) return { ...base, action: 'skip', description: unchanged };
  const recorded = definitionOf(record?.definition ?? null);
  if (recorded !== null && isOlder(record!, hash, version)) {
    // Hosts use the tables of perspectives as they are, and do not write to those of another version.
    if (item.definition.perspective === undefined && !canWorkWith(item.definition, recorded))
      throw tooNew(item.key, 'a newer program has changed it', version);
    return { ...base, action: 'skip', description: leftAlone(record!) };
  }
  const from = recorded ?? (columns === null ? null : asFound(item.definition, columns));
  const strategy = strategyBetween(from, item.definition);
  if (strategy === MigrationStrategy.DirectDdl || from === null) {
    const isFirst = oldHash === null;
    return {
      ...base,
      action: 'apply',
      status: isFirst ? MigrationStatus.Applied : MigrationStatus.Updated,
      sql: from !== null && sameDefinition(from, item.definition) ? [] : database.tableSql(from, item.definition),
      description: firstOrUpdated(isFirst, from !== null),
    };
  }
  const how = strategy === MigrationStrategy.ColumnCopy ? 'Its rows are copied' : 'Its rows are replayed from events';
  return {
    ...base,
    item,
    action: 'rewrite',
    strategy,
    from,
    description: `${how} in the background; the old table serves until then.`,
  };
}

/** The definition of a table without a record: the declared columns that it has. */
function asFound(definition: TableDefinition, columns: readonly string[]): TableDefinition {
  return { ...definition, columns: definition.columns.filter(({ name }) => columns.includes(name)) };
}

/** Whether this program is older than the one that recorded the item. */
function isOlder(record: MigrationRecord, hash: string, version: string): boolean {
  return record.previousHashes.includes(hash) || isNewer(record.libraryVersion, version);
}

const unchanged = 'Unchanged.';

function leftAlone({ libraryVersion: by }: MigrationRecord): string {
  return `Skipped: a newer program (library ${by}) has changed it.`;
}

function firstOrUpdated(isFirst: boolean, exists: boolean): string {
  if (!isFirst) return 'Updated because its hash changed.';
  return exists ? 'It already existed; recorded.' : 'Applied for the first time.';
}

function tooNew(key: string, why: string, version: string): ServiceError {
  return new ServiceError(
    'SVC_SCHEMA_TOO_NEW',
    `This program (library ${version}) cannot work with ${key}: ${why}. Deploy the newer program again, or undo its change: svc migrate rollback ${key}.`,
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function tableOf(item: SqlItem | TableItem): string {
  return item.kind === 'sql' ? item.creates : item.definition.table;
}

import { partsOf, statementsOf } from './sql-statements.js';

/**
 * The order of schema changes while two versions of the code run: expand (new structures, optional columns), deploy, backfill,
 * contract. A change that the running version cannot handle must not run before a deployment.
 */
export interface PendingMigration {
  readonly key: string;
  readonly sql: string;
}

export function readPending(text: string): readonly PendingMigration[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('the migrations command must print JSON: { "pending": [{ "key", "sql" }] }');
  }
  const pending = typeof value === 'object' && value !== null && 'pending' in value ? value.pending : undefined;
  if (!Array.isArray(pending)) throw new Error('the output of the migrations command has no list "pending"');
  return pending.map((item: unknown) => {
    const { key, sql } = item as Partial<PendingMigration>;
    if (typeof key !== 'string' || typeof sql !== 'string')
      throw new Error('a pending migration must have a key and sql');
    return { key, sql };
  });
}

interface Rule {
  readonly pattern: Pick<RegExp, 'test'>;
  readonly why: string;
}

/** Rules for a whole statement. Statements are on one line, with single spaces. */
const rules: readonly Rule[] = [
  ...['table', 'view', 'schema', 'sequence', 'function', 'procedure', 'routine', 'type', 'domain'].map((kind) => ({
    pattern: new RegExp(`\\bdrop (?:materialized |foreign )?${kind}\\b`, 'i'),
    why: `drops a ${kind}`,
  })),
  { pattern: /\bdrop extension\b/i, why: 'drops an extension' },
  { pattern: /\bdrop owned by\b/i, why: 'drops everything that a role owns' },
  { pattern: /\bdrop attribute\b/i, why: 'drops an attribute' },
  { pattern: /\brename (?:(?:column |attribute |value )?\S+ )?to\b/i, why: 'renames' },
  { pattern: /\bset schema\b/i, why: 'moves something to another schema' },
  { pattern: /\bset not null\b/i, why: 'makes a column required' },
  // Not the event of a trigger: BEFORE TRUNCATE.
  { pattern: /(?:^|\b(?:begin|then|else|loop) )truncate\b/i, why: 'empties a table' },
];

/** Rules for one action: an ALTER TABLE may have several. */
const tableRules: readonly Rule[] = [
  { pattern: /\bdrop (?!(?:constraint|default|identity|expression|not null)\b)/i, why: 'drops a column' },
  { pattern: /\balter (?:column )?\S+ (?:set data )?type\b/i, why: 'changes a type' },
  { pattern: /\bdetach partition\b/i, why: 'detaches a partition' },
  // NOT VALID still applies to new rows.
  {
    pattern: /\badd (?:constraint \S+ )?(?:check ?\( ?\S+ is not null ?\)|not null\b)/i,
    why: 'makes a column required',
  },
  { pattern: { test: addsRequiredColumn }, why: 'adds a required column without a default' },
];

/** Word by word: a single expression takes quadratic time on a statement with many `add`s. */
function addsRequiredColumn(action: string): boolean {
  const filled = [...action.matchAll(/\b(?:default|generated|(?:small|big)?serial)\b/gi)].at(-1)?.index ?? 0;
  const rest = action.slice(filled);
  const start = rest.search(/\badd (?!(?:constraint|check|not null)\b)/i);
  return start !== -1 && /\bnot null\b/i.test(rest.slice(start));
}

/** Why a migration cannot run while the previous version serves; empty if it can. */
export function incompatible({ key, sql }: PendingMigration): readonly string[] {
  const reasons = new Set(statementsOf(sql).flatMap(reasonsAgainst));
  return Array.from(reasons, (why) => `${key} ${why}`);
}

function reasonsAgainst(statement: string): readonly string[] {
  const actions = /\balter (?:foreign )?table (?:if exists )?(?:only )?\S+ (.*)/i.exec(statement)?.[1];
  const found = [
    ...rules.filter(({ pattern }) => pattern.test(statement)),
    ...tableRules.filter(({ pattern }) => partsOf(actions ?? '').some((action) => pattern.test(action))),
  ];
  return found.map(({ why }) => why);
}

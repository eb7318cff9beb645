import { partsOf, statementsOf } from './sql-statements.js';

/**
 * The order in which a schema may change while two versions of the code run: first expand (new structures, optional columns), then
 * deploy, then backfill, then contract. What the running version cannot live with is not a migration to run before a deployment.
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
    throw new Error('the migrations command has to print JSON: { "pending": [{ "key", "sql" }] }');
  }
  const pending = typeof value === 'object' && value !== null && 'pending' in value ? value.pending : undefined;
  if (!Array.isArray(pending)) throw new Error('the migrations command prints no list "pending"');
  return pending.map((item: unknown) => {
    const { key, sql } = item as Partial<PendingMigration>;
    if (typeof key !== 'string' || typeof sql !== 'string')
      throw new Error('a pending migration has a key and its sql');
    return { key, sql };
  });
}

interface Rule {
  readonly pattern: Pick<RegExp, 'test'>;
  readonly why: string;
}

/** By statement. Statements are on one line, with single spaces. */
const rules: readonly Rule[] = [
  ...['table', 'view', 'schema', 'sequence', 'function', 'procedure', 'routine', 'type', 'domain'].map((kind) => ({
    pattern: new RegExp(`\\bdrop (?:materialized |foreign )?${kind}\\b`, 'i'),
    why: `drops a ${kind}`,
  })),
  { pattern: /\bdrop extension\b/i, why: 'drops an extension' },
  { pattern: /\bdrop owned by\b/i, why: 'drops all that a role owns' },
  { pattern: /\bdrop attribute\b/i, why: 'drops an attribute' },
  { pattern: /\brename (?:(?:column |attribute |value )?\S+ )?to\b/i, why: 'renames' },
  { pattern: /\bset schema\b/i, why: 'moves something to another schema' },
  { pattern: /\bset not null\b/i, why: 'makes a column required' },
  // A trigger may speak of it.
  { pattern: /(?:^|\b(?:begin|then|else|loop) )truncate\b/i, why: 'empties a table' },
];

/** By action: an ALTER TABLE may have several. */
const tableRules: readonly Rule[] = [
  { pattern: /\bdrop (?!(?:constraint|default|identity|expression|not null)\b)/i, why: 'drops a column' },
  { pattern: /\balter (?:column )?\S+ (?:set data )?type\b/i, why: 'changes a type' },
  { pattern: /\bdetach partition\b/i, why: 'takes a partition away' },
  // It holds for new rows at once, also when it is not validated.
  {
    pattern: /\badd (?:constraint \S+ )?(?:check ?\( ?\S+ is not null ?\)|not null\b)/i,
    why: 'makes a column required',
  },
  { pattern: { test: addsRequiredColumn }, why: 'adds a required column without a default' },
];

/** Word by word: one expression for all of it takes quadratic time on a statement that says `add` often. */
function addsRequiredColumn(action: string): boolean {
  const filled = [...action.matchAll(/\b(?:default|generated|(?:small|big)?serial)\b/gi)].at(-1)?.index ?? 0;
  const rest = action.slice(filled);
  const start = rest.search(/\badd (?!(?:constraint|check|not null)\b)/i);
  return start !== -1 && /\bnot null\b/i.test(rest.slice(start));
}

/** Why a migration cannot run while the version before it serves; empty when it can. */
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

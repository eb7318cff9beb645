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

const rules: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  { pattern: /\bdrop\s+table\b/i, why: 'drops a table' },
  {
    pattern:
      /\bdrop\s+(?:column\b|(?!(?:constraint|default|not|index|identity|expression|trigger|view|table|function|type)\b)["\w]+\s*(?:,|cascade\b|$))/i,
    why: 'drops a column',
  },
  { pattern: /\brename\s+(?:to|column|\w+\s+to)\b/i, why: 'renames' },
  { pattern: /\balter\s+(?:column\s+)?\S+\s+(?:set\s+data\s+)?type\b/i, why: 'changes a type' },
  { pattern: /\bset\s+not\s+null\b/i, why: 'makes a column required' },
  // A trigger may speak of it.
  { pattern: /^truncate\b/i, why: 'empties a table' },
];

/** Why a migration cannot run while the version before it serves; empty when it can. */
export function incompatible({ key, sql }: PendingMigration): readonly string[] {
  return statementsOf(sql).flatMap((statement) => {
    const found = rules.filter(({ pattern }) => pattern.test(statement)).map(({ why }) => why);
    if (addsRequiredColumn(statement)) found.push('adds a required column without a default');
    return found.map((why) => `${key} ${why}`);
  });
}

/** A new table may have required columns: no running version writes to it. */
function addsRequiredColumn(statement: string): boolean {
  if (!/\balter\s+table\b/i.test(statement)) return false;
  return statement
    .split(/,(?![^(]*\))/)
    .some((part) => /\badd\b/i.test(part) && /\bnot\s+null\b/i.test(part) && !/\bdefault\b/i.test(part));
}

/** Statements without comments and without the texts inside quotes, which may say anything. */
function statementsOf(sql: string): readonly string[] {
  const bare = sql
    .replace(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/--[^\n]*/g, ' ')
    .replace(/\/\*.*?\*\//gs, ' ');
  return bare
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

/** Replaces quoted names: a word that matches no rule. */
const quotedName = 'quoted';

/** The start of a section that is not SQL. A `$` within a name starts nothing. */
const opening = /'|"|--|\/\*|(?<![\w$])\$(?:[^\W\d]\w*)?\$|;/g;

/**
 * The statements of a script, one per line, without comments and quoted texts. Reads from left to right, so that an apostrophe in a
 * comment starts no text, and two dashes in a text start no comment. The body of a `DO` counts as statements too.
 */
export function statementsOf(sql: string): readonly string[] {
  const statements: string[] = [];
  let statement = '';
  let at = 0;
  const end = (): void => {
    const line = statement.replace(/\s+/g, ' ').trim();
    if (line !== '') statements.push(line);
    statement = '';
  };
  for (;;) {
    opening.lastIndex = at;
    const found = opening.exec(sql);
    if (found === null) break;
    const [mark] = found;
    const body = found.index + mark.length;
    statement += sql.slice(at, found.index);
    if (mark === ';') {
      end();
      at = body;
    } else if (mark === '--') {
      statement += ' ';
      at = endOf(sql, '\n', body);
    } else if (mark === '/*') {
      statement += ' ';
      at = endOfComment(sql, body);
    } else if (mark === '"') {
      statement += quotedName;
      at = endOfQuoted(sql, mark, body, false);
    } else if (mark === "'") {
      const hasEscapes = /(?<!\w)e$/i.test(statement);
      statement += "''";
      at = endOfQuoted(sql, mark, body, hasEscapes);
    } else {
      at = endOf(sql, mark, body);
      const isRun = /^\s*do\b/i.test(statement);
      statement += "''";
      if (isRun) statements.push(...statementsOf(sql.slice(body, at - mark.length)));
    }
  }
  statement += sql.slice(at);
  end();
  return statements;
}

/** Splits at commas that are not inside brackets. */
export function partsOf(statement: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of statement) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

function endOf(sql: string, mark: string, from: number): number {
  const found = sql.indexOf(mark, from);
  return found === -1 ? sql.length : found + mark.length;
}

/** A doubled quote is a literal quote; in a text that starts with `E'`, so is a quote after a backslash. */
function endOfQuoted(sql: string, quote: string, from: number, hasEscapes: boolean): number {
  for (let at = from; at < sql.length; at += 1) {
    if (hasEscapes && sql[at] === '\\') at += 1;
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return at + 1;
      at += 1;
    }
  }
  return sql.length;
}

/** Comments of PostgreSQL nest. */
function endOfComment(sql: string, from: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = from;
  let depth = 1;
  for (let found = marks.exec(sql); found !== null; found = marks.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return sql.length;
}

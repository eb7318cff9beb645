/**
 * JSON texts as one parameter of a statement. Inside the JSON of their rows, each of their quotes would be escaped, and PostgreSQL would parse them
 * twice: a batch of 64 events or messages of 1 kB took the server and this process a third more time.
 */

/** JSON does not contain it: control characters in strings are escaped. */
const separator = '\u001f';

/** The parameter with the texts of some rows, in the order of these; null: a row has none. Throws if a text would be taken for two. */
export function jsonTexts(texts: readonly (string | null)[]): string {
  if (texts.some((text) => text?.includes(separator) === true))
    throw new TypeError('A text is not JSON: it contains U+001F.');
  return texts.map((text) => text ?? '').join(separator);
}

/**
 * The FROM item with the rows in one parameter, a JSON array, and their texts in another one. `definitions`: the columns of the rows with their
 * types; `text`: the column of the text.
 */
export function rowsWithTexts(
  rows: string,
  definitions: string,
  texts: string,
  { alias, text }: { readonly alias: string; readonly text: string },
): string {
  const columns = definitions.split(',').map((definition) => definition.trim().split(' ')[0]!);
  return `ROWS FROM (
    jsonb_to_recordset(${rows}::jsonb) AS (${definitions}), unnest(string_to_array(${texts}, E'\\x1f', ''))
  ) AS ${alias} (${[...columns, text].join(', ')})`;
}

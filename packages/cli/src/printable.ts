// oxlint-disable-next-line no-control-regex -- these are the characters to escape
const escapedCharacters = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/**
 * Escapes the characters of a foreign text that control a terminal, or that change the direction or the lines of other text. Line feeds are
 * preserved. The escapes are those of JSON, so a JSON text stays the same JSON.
 */
export function printable(text: string): string {
  return text.replace(escapedCharacters, escaped);
}

/** The same in one line: a foreign line feed cannot begin a line of its own. */
export function printableLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n');
}

function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16).padStart(4, '0');
  return `\\u${code}`;
}

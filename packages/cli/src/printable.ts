/** Escapes the terminal control characters of a foreign text. Line breaks are preserved. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters to escape
  return text.replace(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/g, (character) => {
    const code = character.codePointAt(0)!.toString(16).padStart(4, '0');
    return `\\u${code}`;
  });
}

/** A text that came from elsewhere, without what would steer the terminal. Lines stay. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what must not get through
  return text.replace(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/g, (character) => {
    const code = character.codePointAt(0)!.toString(16).padStart(4, '0');
    return `\\u${code}`;
  });
}

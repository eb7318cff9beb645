/** Characters that would change how text around them is shown, or are not shown at all: controls, bidirectional marks, zero-width characters. */
const hidden = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;

/** Text of users and messages, with characters that are not shown replaced by their code: `⟨U+202E⟩`. */
export function visibleText(text: string): string {
  return text.replaceAll(
    hidden,
    (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

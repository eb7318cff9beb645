/** Characters that change how the text around them is shown, or are not shown at all: controls except tab and line feed, formats, separators. */
const hidden = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of users and messages, with characters that are not shown replaced by their code: `⟨U+202E⟩`. */
export function visibleText(text: string): string {
  return text.replaceAll(
    hidden,
    (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** The prose of a Markdown page: what `quotes` match, code and link targets become blank. Every line stays where it is. */
export function proseOf(page: string, quotes: readonly RegExp[] = []): string {
  return [...quotes, ...code, ...targets].reduce((text, pattern) => text.replace(pattern, blank), page);
}

// Inline code ends with its paragraph: a backtick without its pair must not hide the rest of a page.
const code = [/^( *)(`{3,})[^\n]*\n.*?^\1\2$/gms, /(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)/gs];
const targets = [/(?<=\])\([^)\s]*\)/g, /<https?:[^>\n]*>/g];

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/**
 * Secrets that get into texts by the way: libraries put addresses with passwords, headers and settings into the texts of their
 * errors. What is known to be one by where it stands is taken out; what else a text says is for whoever wrote it.
 */
/** Each of them looks at every character a bounded number of times, whatever stands there: callers have a hand in these texts. */
const secretsInTexts: readonly (readonly [RegExp, string])[] = [
  // What JSON.parse says quotes a piece of the text, and that is a piece of somebody's request.
  [/\bUnexpected token [^\n]{1,4}, [\s\S]{0,120}? is not valid JSON/g, 'Unexpected token: not valid JSON'],
  // scheme://user:password@host
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#@]+@/gi, '$1***@'],
  // /path?token=…
  [/\?[^\s"'`?=]*=[^\s"'`]*/g, '?***'],
  [/\b(bearer)\s+[^\s"',;]+/gi, '$1 ***'],
  [/\b(Basic)\s+[A-Za-z0-9+/]{6,}={0,2}/g, '$1 ***'],
  // password=…, "apiKey": "…"
  [
    /\b((?:x-)?api[-_]?key|authorization|cookie|pass(?:word|wd|phrase)?|pwd|secret|client[-_]?secret|(?:access|refresh|id)?[-_]?token)(["']?\s*[=:]\s*["']?)(?!\*\*\*|bearer |basic )[^\s"',;&]+/gi,
    '$1$2***',
  ],
];

/** What is looked through of a text: the rest is cut off. */
const longestText = 8_192;

export function scrubbedText(text: string): string {
  let scrubbed = text.length > longestText ? `${text.slice(0, longestText).toWellFormed()}…` : text;
  for (const [pattern, replacement] of secretsInTexts) scrubbed = scrubbed.replace(pattern, replacement);
  return scrubbed;
}

/** Patterns of secrets. Each reads every character a bounded number of times: callers can influence these texts. */
const secretsInTexts: readonly (readonly [RegExp, string])[] = [
  // Errors of JSON.parse quote a part of the text, which can be a part of a request.
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

/** Longer texts are truncated. */
const longestText = 8_192;

/** Removes secrets from a text, such as passwords in URLs, headers and settings that libraries put into their errors. */
export function scrubbedText(text: string): string {
  let scrubbed = text.length > longestText ? `${text.slice(0, longestText).toWellFormed()}…` : text;
  for (const [pattern, replacement] of secretsInTexts) scrubbed = scrubbed.replace(pattern, replacement);
  return scrubbed;
}

/**
 * Regular expressions that a person reviewed, because the analyser cannot decide them, needs more than a second for them, or because they
 * are built at run time. `text` is the expression as it stands in the source; an entry without one fails the test.
 */
export interface ReviewedExpression {
  readonly file: string;
  readonly text: string;
  /** Why it takes linear time, or what bounds its input. */
  readonly reason: string;
}

const scrubbed = 'packages/core/src/errors/scrubbed-text.ts';
const formats = 'packages/core/src/json/formats.ts';
const migrations = 'packages/deploy/src/checks/migrations.ts';

export const reviewedExpressions: readonly ReviewedExpression[] = [
  {
    file: scrubbed,
    text: String.raw`/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#@]+@/gi`,
    reason: 'The text has at most 8,192 characters. A scheme has at most 31 and the next part stops at a slash.',
  },
  {
    file: scrubbed,
    text: String.raw`/\b(bearer)\s+[^\s"',;]+/gi`,
    reason: 'The text has at most 8,192 characters. The two repetitions share no character.',
  },
  {
    file: scrubbed,
    text: String.raw`/\b(Basic)\s+[A-Za-z0-9+/]{6,}={0,2}/g`,
    reason: 'The text has at most 8,192 characters. The repetitions share no character.',
  },
  {
    file: scrubbed,
    text: String.raw`/\b((?:x-)?api[-_]?key|authorization|cookie|pass(?:word|wd|phrase)?|pwd|secret|client[-_]?secret|(?:access|refresh|id)?[-_]?token)(["']?\s*[=:]\s*["']?)(?!\*\*\*|bearer |basic )[^\s"',;&]+/gi`,
    reason: 'The text has at most 8,192 characters. A word is needed before the spaces, and = or : between them.',
  },
  {
    file: 'packages/http/src/trace-id.ts',
    text: String.raw`/^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/`,
    reason: 'Anchored, and of fixed length up to the one repetition, which ends it. The header is bounded, too.',
  },
  {
    file: formats,
    text: "new RegExp(`^${[8, 4, 4, 4, 12].map((count) => '[0-9a-f]'.repeat(count)).join('-')}$`)",
    reason: 'Anchored, of fixed length, and without a repetition.',
  },
  {
    file: formats,
    text: String.raw`/^[\w.!#$%&'*+/=?^${'`'}{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i`,
    reason: 'Its caller rejects texts of more than 254 characters first.',
  },
  {
    file: formats,
    text: "new RegExp(`^${label}(?:\\\\.${label})*$`, 'i')",
    reason: 'Its caller rejects texts of more than 253 characters first.',
  },
  {
    file: formats,
    text: 'new RegExp(`^${octet}(?:\\\\.${octet}){3}$`)',
    reason: 'Anchored, and an octet has at most three digits: no match reads more than 15 characters.',
  },
  {
    file: formats,
    text: String.raw`/^-?P(?!$)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d{1,9})?S)?)?$/`,
    reason: 'Anchored. Each of the seven parts reads a run of digits once, and gives up at the letter behind it.',
  },
  {
    file: 'packages/core/src/security/permission.ts',
    text: 'new RegExp(`^${part}:${part}$`)',
    reason: 'Anchored, and a part has at most 100 characters, none of them a colon.',
  },
  {
    file: migrations,
    text: "new RegExp(`\\\\bdrop (?:materialized |foreign )?${kind}\\\\b`, 'i')",
    reason: 'No repetition: `kind` is one of nine words in the same file.',
  },
  {
    file: migrations,
    text: String.raw`/\brename (?:(?:column |attribute |value )?\S+ )?to\b/i`,
    reason: 'The repetition reads one word, and each word follows at most one "rename".',
  },
  {
    file: migrations,
    text: String.raw`/\balter (?:column )?\S+ (?:set data )?type\b/i`,
    reason: 'The repetition reads one word, and each word follows at most one "alter".',
  },
  {
    file: migrations,
    text: String.raw`/\badd (?:constraint \S+ )?(?:check ?\( ?\S+ is not null ?\)|not null\b)/i`,
    reason: 'Each repetition reads one word, and each word follows at most one "add".',
  },
  {
    file: migrations,
    text: String.raw`/\balter (?:foreign )?table (?:if exists )?(?:only )?\S+ (.*)/i`,
    reason: 'The first repetition reads one word; behind it everything matches, so that nothing is read again.',
  },
  {
    file: 'packages/deploy/src/checks/sql-statements.ts',
    text: String.raw`/'|"|--|\/\*|(?<![\w$])\$(?:[^\W\d]\w*)?\$|;/g`,
    reason: 'The one repetition starts behind a dollar sign and stops at the next one.',
  },
  {
    file: 'packages/deploy/src/checks/variables.ts',
    text: String.raw`/(?<!\S)\$(\w+)(?!\S)/g`,
    reason: 'The one repetition starts behind a space and a dollar sign, and reads a word without either.',
  },
  {
    file: 'packages/deploy/src/config/kubernetes-settings.ts',
    text: String.raw`/^(?:\/(?!\.\.?(?:\/|$))[-.\w]+)+$/`,
    reason: 'Anchored. Each round starts with a slash, which the repetition in it cannot read.',
  },
  {
    file: 'packages/http/src/openapi/used-schemas.ts',
    text: String.raw`/"#\/components\/schemas\/([^"]+)"/g`,
    reason: 'Linear by the analyser, which needs 1.3 s. It starts at a quote and stops at the next one.',
  },
  {
    file: 'packages/generator/src/analysis/file-scan.ts',
    text: String.raw`/\/generated\/[^/]*\.endpoint\b/`,
    reason: 'Linear by the analyser, which needs 5 s. The repetition stops at the slash that a match starts with.',
  },
  {
    file: 'packages/generator/src/analysis/types/defaults.ts',
    text: "new RegExp(pattern, 'u')",
    reason:
      'Matched with a default value in the source code, which has at most 1,000 characters, or as many as its MaxLength.',
  },
  {
    file: 'packages/generator/src/analysis/types/scalars.ts',
    text: "RegExp(pattern, 'u')",
    reason: 'Compiled to see whether it is valid, and matched with nothing.',
  },
  {
    file: 'packages/generator/src/emit/scalar-reader.ts',
    text: "new RegExp(type.pattern, 'u')",
    reason: 'Compiled for its text. A service matches it with at most 1,000 characters, or as many as its MaxLength.',
  },
  {
    file: 'packages/postgres/src/parsed-page.ts',
    text: String.raw`/(\d+),(\d+)\]\]$/`,
    reason: 'Quadratic, on the last 43 characters of a text.',
  },
  {
    file: 'packages/rabbitmq/src/publisher.ts',
    text: String.raw`/message size (\d+) is larger than (?:configured )?max size (\d+)/`,
    reason: 'Linear by the analyser, which needs 8 s. Each repetition reads digits only, between fixed words.',
  },
  {
    file: 'packages/sqlite/src/failures.ts',
    text: String.raw`/^(?:cannot store \w+ value in|datatype mismatch|malformed JSON)/`,
    reason: 'Linear by the analyser, which needs 2 s. Anchored, with one repetition.',
  },
  {
    file: 'packages/telemetry/src/trace-context.ts',
    text: String.raw`/^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/`,
    reason: 'Anchored, and of fixed length up to the one repetition, which ends it.',
  },
  {
    file: 'packages/core/src/json/personal.ts',
    text: String.raw`/(?<!\\)"svc-personal:1:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([\w-]+)"(?!\s*:)/g`,
    reason:
      'A match starts with a quote, and everything behind the fixed part excludes quotes: no character is read by two attempts that pass the prefix. The look-behind reads one character, and the look-ahead the spaces after one match.',
  },
];

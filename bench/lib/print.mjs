/** A report as text: Markdown tables that can be copied to README.md. */

/** @typedef {import('./report.mjs').Report} Report */
/** @typedef {import('./report.mjs').Table} Table */
/** @typedef {import('./report.mjs').Target} Target */
/** @typedef {import('./statistics.mjs').Spread} Spread */

/** @param {Report} report */
export function printed({ tables, targets, notes }) {
  return [...tables.map(printedTable), printedTargets(targets), notes.map((note) => `- ${note}`).join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** @param {Table} shown */
function printedTable({ title, metrics, references, rows }) {
  const [main, ...others] = metrics;
  if (main === undefined) return title;
  const head = [
    'subject',
    main.label,
    'spread',
    ...references.map((reference) => `× ${reference}`),
    ...others.map((metric) => metric.label),
  ];
  const body = rows.map(({ about, figures, ratios }) => [
    about,
    middle(figures[main.name], main.digits),
    range(figures[main.name], main.digits),
    ...references.map((reference) => middle(ratios[reference], 2)),
    ...others.map((metric) => middle(figures[metric.name], metric.digits)),
  ]);
  return `${title}\n\n${markdown([head, ...body])}`;
}

/** @param {readonly Target[]} targets */
function printedTargets(targets) {
  if (targets.length === 0) return '';
  const body = targets.map(({ claim, measured, bound, atLeast, met }) => [
    claim,
    `${atLeast ? '≥' : '≤'} ${bound.toFixed(2)}`,
    middle(measured, 2),
    range(measured, 2),
    met ? 'met' : 'NOT MET',
  ]);
  return `Targets\n\n${markdown([['target', 'bound', 'measured', 'spread', ''], ...body])}`;
}

/** @param {readonly string[][]} lines */
function markdown(lines) {
  const columns = lines[0] ?? [];
  const widths = columns.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const [head = '', ...body] = lines.map(
    (line) =>
      `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`,
  );
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [head, `| ${rule.join(' | ')} |`, ...body].join('\n');
}

/**
 * @param {Spread | undefined} spread
 * @param {number} digits
 */
function middle(spread, digits) {
  return spread === undefined ? '' : number(spread.median, digits);
}

/**
 * @param {Spread | undefined} spread
 * @param {number} digits
 */
function range(spread, digits) {
  return spread === undefined ? '' : `${number(spread.low, digits)}–${number(spread.high, digits)}`;
}

/**
 * @param {number} value
 * @param {number} digits
 */
function number(value, digits) {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

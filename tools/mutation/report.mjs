/** The texts of the command, and its JSON. */
const statuses = ['killed', 'survived', 'timeout', 'not covered', 'equivalent', 'not judged'];

/** Mutants by status, and the score: how many of those that count a test has noticed, in percent. */
export function summaryOf(mutants) {
  const counts = Object.fromEntries(
    statuses.map((status) => [status, mutants.filter((one) => one.status === status).length]),
  );
  const found = counts.killed + counts.timeout;
  const all = found + counts.survived + counts['not covered'];
  return { mutants: mutants.length, ...counts, score: all === 0 ? null : Math.round((1_000 * found) / all) / 10 };
}

/** A row per file, and one for all of them. */
export function tableOf(mutants) {
  const files = [...new Set(mutants.map(({ file }) => file))];
  const rows = files.map((file) =>
    rowOf(
      file,
      mutants.filter((one) => one.file === file),
    ),
  );
  const header = ['file', 'mutants', ...statuses, 'score'];
  const lines = [header, ...rows, rowOf('all', mutants)];
  const widths = header.map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  return lines
    .map((line) => line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '))
    .join('\n');
}

function rowOf(name, mutants) {
  const { score, ...counts } = summaryOf(mutants);
  return [name, ...Object.values(counts).map(String), score === null ? '–' : `${score.toFixed(1)} %`];
}

/** A mutant that no test notices, as `file:line` with its text before and after. */
export function survivorText({ file, line, operator, before, after, status }) {
  const replaced = after === '' ? '(removed)' : shortened(after);
  return `${file}:${line}  ${status}, ${operator}\n  ${shortened(before)}\n  → ${replaced}`;
}

function shortened(text) {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 160 ? `${line.slice(0, 157)}...` : line;
}

export function reportOf({ seed, mutants, testFiles, excluded }, seconds) {
  const unnoticed = mutants.filter(({ status }) => status === 'survived' || status === 'not covered');
  return [
    ...unnoticed.map(survivorText),
    excluded.length === 0 ? '' : ['Test files that were left out:', ...excluded.map(excludedText)].join('\n'),
    tableOf(mutants),
    lastLine(testFiles, seconds, seed),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function lastLine(testFiles, seconds, seed) {
  const ignored = testFiles.reduce((sum, file) => sum + file.ignored.length, 0);
  const parts = [`${testFiles.length} test files`, `${seconds.toFixed(0)} s`];
  if (ignored > 0) parts.push(`${ignored} tests and suites ignored, because they fail without a mutant`);
  if (seed !== null) parts.push(`seed ${seed}`);
  return parts.join(', ');
}

function excludedText({ file, reason }) {
  return `  ${file}: ${reason}`;
}

/** The results for `--json`. */
export function jsonOf({ seed, mutants, testFiles, excluded }, seconds) {
  const files = [...new Set(mutants.map(({ file }) => file))];
  return {
    seed,
    seconds: Math.round(seconds),
    all: summaryOf(mutants),
    files: files.map((file) => Object.assign({ file }, summaryOf(mutants.filter((one) => one.file === file)))),
    mutants,
    testFiles,
    excluded,
  };
}

/** The tables at the end of a run. */
const MiB = 1024 * 1024;

export function progressLine({ statistics, failures }, sent, total, seconds) {
  const { heap, rss } = statistics.memory.at(-1) ?? { heap: 0, rss: 0 };
  const rate = Math.round(sent / seconds);
  return `${sent} of ${total} requests, ${rate} per second, heap ${mib(heap)}, rss ${mib(rss)}, ${failures.count} failures`;
}

export function reportOf({ seed, seconds, statistics, memory, log, failures, failureCount, operations }) {
  const { sent, slowest } = statistics;
  return [
    '',
    table(statusRows(statistics)),
    '',
    table([
      ['seed', String(seed)],
      ['requests', String(sent)],
      ['requests per second', String(Math.round(sent / seconds))],
      ['CPU time of the service per request', cpuPerRequest(statistics)],
      ['median, p99', `${statistics.percentile(50).toFixed(1)} ms, ${statistics.percentile(99).toFixed(1)} ms`],
      ['slowest response', `${Math.round(slowest.ms)} ms (${slowest.operation})`],
      ['connections closed between requests', String(statistics.closedBetween)],
      ...memoryRows(statistics.memory, memory),
      ['commands answered, in the log', `${log.answered}, ${log.commands}`],
      ['events in the log', String(log.events)],
      [
        'operations that never succeeded',
        operations.filter((name) => !statistics.succeeded.has(name)).join(', ') || 'none',
      ],
      ['failures', String(failureCount)],
    ]),
    ...failures.map((failure) => `\n${failureText(failure)}`),
  ].join('\n');
}

function failureText({ kind, text, file, count, operation }) {
  const where = operation === null ? '' : ` (${operation})`;
  const replay = file === null ? '' : `\n  npm run fuzz -- --replay ${file}`;
  return `${count} × ${kind}${where}: ${text.slice(0, 1500)}${replay}`;
}

/** One row for each kind of change, one column for each status. */
function statusRows({ statuses }) {
  const columns = new Set();
  for (const counts of statuses.values()) for (const status of counts.keys()) columns.add(status);
  const ordered = [...columns].toSorted((a, b) => a.localeCompare(b));
  const kinds = [...statuses.keys()].toSorted((a, b) => a.localeCompare(b));
  const row = (kind) => {
    const counts = statuses.get(kind);
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return [kind].concat(
      ordered.map((status) => String(counts.get(status) ?? '')),
      String(all),
    );
  };
  return [['changed'].concat(ordered, 'all')].concat(kinds.map(row));
}

function cpuPerRequest({ memory }) {
  const [first, last] = [memory[0], memory.at(-1)];
  if (memory.length < 2) return 'not measured';
  return `${((1000 * (last.cpuSeconds - first.cpuSeconds)) / (last.requests - first.requests)).toFixed(2)} ms`;
}

function memoryRows(samples, { isJudged, growth }) {
  if (samples.length === 0) return [];
  const places = { start: samples[0], middle: samples[samples.length >> 1], end: samples.at(-1) };
  const rows = Object.entries(places).map(([name, { heap, rss }]) => [
    `memory at ${name}`,
    `heap ${mib(heap)}, rss ${mib(rss)}`,
  ]);
  const judged = isJudged ? `heap ${mib(growth.heap)}, rss ${mib(growth.rss)}` : 'not judged: too few requests';
  return [...rows, ['growth over the second half', judged]];
}

function mib(bytes) {
  return `${(bytes / MiB).toFixed(1)} MiB`;
}

/** Numbers and words in columns, the first column left-aligned. */
function table(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  const line = (row) =>
    row.map((cell, i) => (i === 0 || row.length === 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])));
  return rows.map((row) => line(row).join('  ').trimEnd()).join('\n');
}

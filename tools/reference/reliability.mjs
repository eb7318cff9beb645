/** The generated regions of docs/reference/reliability.md, and that of README.md: the runs that `npm run torture -- … --record` has recorded. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './regions.mjs';

export const recordedRuns = 'docs/reference/reliability-runs.json';

/** The order of the runs on the page. */
const order = ['kills', 'crashes', 'failover', 'broker', 'disk', 'upgrade'];

/** `runs`: what each run did. `commands`: how to repeat them. `invariants`: what each run checked. `summary`: all runs in a sentence. */
export function reliabilityRegion(root, what) {
  const recorded = JSON.parse(readFileSync(join(root, recordedRuns), 'utf8'));
  const runs = recorded.toSorted((a, b) => order.indexOf(a.run) - order.indexOf(b.run) || a.seed - b.seed);
  if (what === 'runs') return runsTable(together(runs));
  if (what === 'commands') return ['```sh', ...runs.map(({ command }) => command), '```'];
  if (what === 'summary') return [summaryOf(together(runs))];
  return what === 'invariants' ? invariantsTable(runs) : undefined;
}

function summaryOf(runs) {
  const done = runs.map((run) => `${number(run.done)} ${run.unit}`);
  const violations = sumOf(runs, (run) => run.violations);
  const found =
    violations === 0 ? 'nothing was lost, duplicated or reordered' : `${violations} invariants were violated`;
  return `In the recorded runs under load, with ${done.slice(0, -1).join(', ')} and ${done.at(-1)}, ${found} ([reliability](docs/reference/reliability.md)).`;
}

/** One entry for the runs of several seeds: runs of the same kind on the same databases at one commit. */
function together(runs) {
  const groups = new Map();
  for (const one of runs) {
    const key = [one.run, one.storages, one.commit].join();
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map(merged);
}

function merged(group) {
  const counts = {};
  for (const name of Object.keys(group[0].counts)) counts[name] = sumOf(group, (one) => one.counts[name] ?? 0);
  return {
    ...group[0],
    seeds: group.map(({ seed }) => seed),
    done: sumOf(group, ({ done }) => done),
    seconds: sumOf(group, ({ seconds }) => seconds),
    counts,
    violations: sumOf(group, ({ invariants }) => sumOf(invariants, ({ violations }) => violations)),
  };
}

function runsTable(runs) {
  return table(
    ['Run', 'Databases', 'Done', 'In it', 'Seeds', 'Time', 'Commit', 'Date', 'Violations'],
    runs.map(({ run, storages, done, unit, counts, seeds, seconds, commit, date, violations }) => [
      `\`${run}\``,
      storages.join(', '),
      `${number(done)} ${unit}`,
      Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${number(count)} ${name}`)
        .join(', '),
      rangesOf(seeds),
      `${number(Math.round(seconds))} s`,
      `\`${commit}\``,
      date,
      number(violations),
    ]),
  );
}

/** Ascending numbers as text: `7, 101–112`. */
function rangesOf(numbers) {
  const ranges = [];
  for (const one of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && one === last[1] + 1) last[1] = one;
    else ranges.push([one, one]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(', ');
}

/** For each invariant, how much each run checked. */
function invariantsTable(runs) {
  const names = [...new Set(runs.flatMap(({ invariants }) => invariants.map(({ name }) => name)))];
  const kinds = order.filter((kind) => runs.some(({ run }) => run === kind));
  const heads = ['Checked', ...kinds.map((kind) => `\`${kind}\``)];
  return table(
    heads,
    names.map((name) => [name].concat(kinds.map((kind) => checkedBy(runs, kind, name)))),
  );
}

function checkedBy(runs, kind, name) {
  const found = runs.filter(({ run }) => run === kind).flatMap(({ invariants }) => invariants);
  const checked = sumOf(
    found.filter((each) => each.name === name),
    (each) => each.checked,
  );
  return checked === 0 ? '' : number(checked);
}

const sumOf = (items, valueOf) => items.reduce((sum, item) => sum + valueOf(item), 0);

const number = (value) => value.toLocaleString('en-US');

/** The generated regions of docs/reference/reliability.md: the runs that `npm run torture -- … --record` has recorded. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './regions.mjs';

export const recordedRuns = 'docs/reference/reliability-runs.json';

/** The order of the runs on the page. */
const order = ['kills', 'crashes', 'failover', 'broker', 'disk', 'upgrade'];

/** `runs`: what each run did. `commands`: how to repeat them. `invariants`: what each run checked. */
export function reliabilityRegion(root, what) {
  const recorded = JSON.parse(readFileSync(join(root, recordedRuns), 'utf8'));
  const runs = recorded.toSorted((a, b) => order.indexOf(a.run) - order.indexOf(b.run));
  if (what === 'runs') return runsTable(runs);
  if (what === 'commands') return ['```sh', ...runs.map(({ command }) => command), '```'];
  return what === 'invariants' ? invariantsTable(runs) : undefined;
}

function runsTable(runs) {
  return table(
    ['Run', 'Databases', 'Done', 'In it', 'Seed', 'Time', 'Commit', 'Date', 'Violations'],
    runs.map(({ run, storages, done, unit, counts, seed, seconds, commit, date, invariants }) => [
      `\`${run}\``,
      storages.join(', '),
      `${number(done)} ${unit}`,
      Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${number(count)} ${name}`)
        .join(', '),
      String(seed),
      `${number(Math.round(seconds))} s`,
      `\`${commit}\``,
      date,
      number(invariants.reduce((sum, { violations }) => sum + violations, 0)),
    ]),
  );
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
  const checked = found.filter((each) => each.name === name).reduce((sum, each) => sum + each.checked, 0);
  return checked === 0 ? '' : number(checked);
}

const number = (value) => value.toLocaleString('en-US');

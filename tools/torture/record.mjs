/** The recorded runs, from which docs/reference/reliability.md is generated. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { commandOf } from './report.mjs';

/** A result as it is recorded: without the texts of violations, with the command that repeats it. */
export function recordOf(result, { commit, date }) {
  const { run, unit, storages, seed, count, done, rounds, seconds, counts, invariants } = result;
  return {
    run,
    command: commandOf(result),
    commit,
    date,
    storages,
    seed,
    unit,
    count,
    done,
    rounds,
    seconds,
    counts,
    invariants: invariants.map(({ name, checked, violations }) => ({ name, checked, violations: violations.length })),
  };
}

/** Adds a record to a file. It replaces an earlier one of the same run on the same storages. */
export function addRecord(file, record) {
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const isSame = ({ run, storages }) => run === record.run && storages.join() === record.storages.join();
  const all = [...known.filter((each) => !isSame(each)), record];
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}

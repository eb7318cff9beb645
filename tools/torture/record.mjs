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

/**
 * Adds a record to a file. Runs of several seeds at one commit belong together; those of the same run at another commit are replaced.
 * Some runs work on several databases, or on one of them: those are different runs.
 */
export function addRecord(file, record) {
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const isSame = ({ run, storages }) => run === record.run && storages.join() === record.storages.join();
  const isReplaced = (each) => isSame(each) && (each.commit !== record.commit || each.seed === record.seed);
  const all = [...known.filter((each) => !isReplaced(each)), record];
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}

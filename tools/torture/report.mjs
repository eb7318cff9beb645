/** The texts of the command. */
const shownViolations = 10;

export function progressLine({ run, done, count, round, seconds }) {
  return `${run}: ${number(done)} of ${number(count)}, round ${round + 1}, ${Math.round(seconds)} s`;
}

/** The counts, the invariants, and the violations with what repeats them. */
export function reportOf(result) {
  const { run, unit, storages, hosts, seed, count, done, rounds, seconds, counts, invariants } = result;
  const rows = [
    ['run', run],
    ['storage', storages.join(', ')],
    ...(hosts === null ? [] : [['hosts on PostgreSQL', number(hosts)]]),
    ['seed', String(seed)],
    [unit, done < count ? `${number(done)} of ${number(count)}, ended early` : number(done)],
    ['rounds', number(rounds)],
    ['time', `${number(Math.round(seconds))} s`],
    ...Object.entries(counts).map(([name, value]) => [name, number(value)]),
  ];
  const checks = invariants.map(({ name, checked, violations }) => [
    name,
    number(checked),
    violations.length === 0 ? 'holds' : `${number(violations.length)} violations`,
  ]);
  return [table(rows), table([['invariant', 'checked', 'result'], ...checks]), ...failureTexts(result)].join('\n\n');
}

/** For each violated invariant, its first violations. */
export function failureTexts({ invariants }) {
  return invariants
    .filter(({ violations }) => violations.length > 0)
    .map(({ name, violations }) =>
      [
        `Violated: ${name}`,
        ...violations.slice(0, shownViolations).map((text) => `  ${text.slice(0, 1_500)}`),
        ...(violations.length > shownViolations ? [`  and ${violations.length - shownViolations} more`] : []),
      ].join('\n'),
    );
}

/** The command that repeats a result, as far as it came. */
export function commandOf({ run, storages, isOneStorage, hosts, seed, done, from }) {
  const parts = [`npm run torture -- ${run} --count ${done} --seed ${seed}`];
  if (hosts !== null) parts.push(`--hosts ${hosts}`);
  if (isOneStorage) parts.push(`--storage ${storages[0]}`);
  if (from !== null) parts.push(`--from ${from}`);
  return parts.join(' ');
}

const number = (value) => value.toLocaleString('en-US');

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The texts of the command. */
export function progressLine({ seeds, commands }, total, failures) {
  return `${seeds} of ${total} seeds, ${commands} commands, ${failures} failing`;
}

export function reportOf({ seeds, commands, events, virtualSeconds, cpuSeconds, failures }) {
  const rows = [
    ['seeds', String(seeds)],
    ['commands of clients', String(commands)],
    ['events stored', String(events)],
    ['simulated time', `${Math.round(virtualSeconds)} s`],
    ['processor time', `${cpuSeconds.toFixed(1)} s`],
    ['commands per second', String(Math.round(commands / cpuSeconds))],
    ['events per second', String(Math.round(events / cpuSeconds))],
    ['failing seeds', String(failures.length)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
  return [table, ...failures.map(failureText)].join('\n\n');
}

export function failureText({ seed, invariant, violations, steps, plan, tries }) {
  return [
    `Seed ${seed} violates "${invariant}":`,
    ...violations.map(({ text }) => `  ${text.slice(0, 1_500)}`),
    `Shortest history found: ${plan.steps.length} of ${steps} steps, after ${tries} tries.`,
    ...plan.hosts.map(({ name, skewMs }) => `  ${name} with a clock ${skewMs} ms ahead`),
    ...plan.steps.map((step) => `  ${(step.at / 1_000).toFixed(3)} s  ${stepText(step)}`),
    `Repeat it: npm run simulate -- --seed ${seed}`,
  ].join('\n');
}

const texts = {
  request: ({ command, label, host, key, properties: { label: _label, ...rest } }) =>
    `${command} ${label} at ${host}${key === null ? '' : ' with a key'} ${JSON.stringify(rest)}`,
  read: ({ tenant, perspective, key, host }) => `${tenant} reads ${perspective} ${key} at ${host}`,
  crash: ({ host, calls, isLastSent, downMs }) =>
    `${host} crashes after ${calls} calls, ${isLastSent ? 'and' : 'but not'} the last one arrives; it starts again after ${downMs} ms`,
  stop: ({ host, downMs }) => `${host} stops, and starts again after ${downMs} ms`,
  freeze: ({ host, calls, ms }) => `${host} does not run for ${ms} ms, after ${calls} calls`,
  clock: ({ host, skewMs }) => `the clock of ${host} is set to ${skewMs} ms ahead`,
  faults: ({ target, host, ms, before, after, slow }) =>
    `the ${target} fails for ${host ?? 'all hosts'} for ${ms} ms: ${before} of calls lost, ${after} of answers lost, ${slow} slow`,
  interrupt: ({ target, ms }) =>
    `${target === 'broker' ? 'the broker' : `the database of ${target}`} is down for ${ms} ms`,
  'lose leases': ({ service }) => `the hosts of ${service} lose their leases`,
  rebuild: ({ host, perspective, options: { mode } }) => `${host} rebuilds ${perspective} (${mode})`,
};

function stepText(step) {
  return texts[step.kind](step);
}

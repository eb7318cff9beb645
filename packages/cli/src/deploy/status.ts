import { environments, platformOf } from '@svc/deploy';
import { ExitCode, type Terminal } from '../terminal.js';
import { configOf, parse } from './arguments.js';
import { table } from '../table.js';

export async function status(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const values = parse(args, {});
  const platform = await platformOf(await configOf(values));
  const [split, note, revisions] = await Promise.all([platform.split(), platform.note(), platform.revisions()]);
  const states = await Promise.all(
    environments.map(async (environment) => {
      const { version, wanted, ready } = await platform.status(environment);
      return { environment, share: split[environment], version, wanted, ready };
    }),
  );
  if (values.json) {
    terminal.out(JSON.stringify({ platform: platform.name, environments: states, canary: note, revisions }));
    return ExitCode.ok;
  }
  terminal.out(platform.name);
  terminal.out(
    table([
      ['environment', 'share', 'version', 'ready'],
      ...states.map((state) => [
        state.environment,
        `${state.share} %`,
        state.version ?? '-',
        `${state.ready} of ${state.wanted}`,
      ]),
    ]),
  );
  if (note !== null)
    terminal.out(`A canary stands in stage ${note.stages[note.stage]} % from ${note.from} to ${note.to}.`);
  for (const { revision, version, current } of revisions) {
    terminal.out(`revision ${revision}: ${version}${current ? ' (current)' : ''}`);
  }
  return ExitCode.ok;
}

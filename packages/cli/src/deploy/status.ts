import { environments, isHeld, platformOf, type RolloutClaim, type RolloutNote } from '@svc/deploy';
import type { Call } from '../command-line/description.js';
import { ExitCode } from '../terminal.js';
import { configOf } from './arguments.js';
import { table } from '../table.js';

export async function status(call: Call): Promise<ExitCode> {
  const { json, terminal } = call;
  const platform = await platformOf(await configOf(call));
  const [split, note, left, revisions] = await Promise.all([
    platform.split(),
    platform.note(),
    platform.claim(),
    platform.revisions(),
  ]);
  const claim = left !== null && (await isHeld(left)) ? left : null;
  const shown = (await platform.hasTwoEnvironments()) ? environments : environments.slice(0, 1);
  const states = await Promise.all(
    shown.map(async (environment) => {
      const { version, wanted, ready } = await platform.status(environment);
      return { environment, share: split[environment], version, wanted, ready };
    }),
  );
  if (json) {
    terminal.out(JSON.stringify({ platform: platform.name, environments: states, canary: note, claim, revisions }));
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
  if (note !== null) terminal.out(canaryText(note, claim));
  else if (claim !== null) terminal.out(`A change is running (${claim.what}); ${controllerText(claim)}.`);
  for (const { revision, version, current } of revisions) {
    terminal.out(`revision ${revision}: ${version}${current ? ' (current)' : ''}`);
  }
  return ExitCode.ok;
}

function canaryText({ version, from, to, stages, stage }: RolloutNote, claim: RolloutClaim | null): string {
  const what = `A canary${version === null ? '' : ` of ${version}`} from ${from} to ${to} is in stage ${stages[stage]} %`;
  return claim === null
    ? `${what}, but no controller is running. Continue with svc deploy canary --resume, or revert with svc deploy rollback.`
    : `${what}; ${controllerText(claim)}.`;
}

function controllerText({ controller, seen }: RolloutClaim): string {
  return `controller: process ${controller.pid} on ${controller.host}, last seen ${seen}`;
}

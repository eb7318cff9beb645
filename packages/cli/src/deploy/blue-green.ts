import {
  defaultBlueGreenOptions,
  platformOf,
  runChecks,
  switchOver,
  verification,
  type BlueGreenProgress,
  type DeployConfig,
} from '@svc/deploy';
import type { Call } from '../command-line/description.js';
import { ExitCode, type Terminal } from '../terminal.js';
import { configOf, countOf, givenCount, rateOf, timeOf, versionOf } from './arguments.js';
import { sampleText } from './figures.js';
import { interruptible } from '../interruption.js';

export async function blueGreen(call: Call): Promise<ExitCode> {
  const { options, json, terminal } = call;
  const version = versionOf(options.text('version'));
  const count = givenCount(call, 'instances');
  const instances = count === undefined ? {} : { instances: count };
  const config = await configOf(call);
  const given = {
    ...defaultBlueGreenOptions,
    verify: () => verify(config),
    keep: countOf(options.defaulted('keep'), 'keep'),
    watchMs: timeOf(options.defaulted('watch-time'), 'watch-time'),
    pollMs: timeOf(options.defaulted('poll'), 'poll'),
    maxErrorRate: rateOf(options.defaulted('max-error-rate'), 'max-error-rate'),
  };
  const platform = await platformOf(config);
  const outcome = await interruptible((signal) =>
    switchOver(platform, { version, ...instances }, given, blueGreenReport(json, terminal), signal),
  );
  if (json) terminal.out(JSON.stringify(outcome));
  else if (outcome.result === 'reverted') terminal.out(`Switched back to ${outcome.front}: ${outcome.reason}.`);
  else terminal.out(`${outcome.front} has all traffic. To switch back, run svc deploy rollback.`);
  return outcome.result === 'reverted' ? ExitCode.reverted : ExitCode.ok;
}

export function blueGreenReport(json: boolean, terminal: Terminal): (progress: BlueGreenProgress) => void {
  return (progress) => {
    if (json) return terminal.out(JSON.stringify(progress));
    if (progress.kind !== 'watching') return terminal.out(`${progress.environment}: ${progress.kind}`);
    const line = `${progress.environment}: ${sampleText(progress.sample)}`;
    (terminal.live ?? terminal.out)(line);
  };
}

/** Runs the configured health check and smoke test. */
async function verify({ checks }: DeployConfig): Promise<void> {
  const results = await runChecks(verification(checks), checks.timeoutMs);
  const failed = results.filter(({ status }) => status === 'failed');
  if (failed.length > 0) throw new Error(failed.map(({ name, detail }) => `${name}: ${detail}`).join('; '));
}

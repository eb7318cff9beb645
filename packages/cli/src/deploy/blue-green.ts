import {
  defaultBlueGreenOptions,
  platformOf,
  runChecks,
  switchOver,
  verification,
  type BlueGreenProgress,
  type DeployConfig,
} from '@svc/deploy';
import { ExitCode, type Terminal } from '../terminal.js';
import { configOf, countOf, parse, rateOf, timeOf, versionOf } from './arguments.js';
import { sampleText } from './figures.js';
import { interruptible } from '../interruption.js';

export async function blueGreen(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const values = parse(args, {
    version: { type: 'string' },
    instances: { type: 'string' },
    keep: { type: 'string', default: '1' },
    'watch-time': { type: 'string', default: '30s' },
    'max-error-rate': { type: 'string', default: '5%' },
    poll: { type: 'string', default: '1s' },
  } as const);
  const version = versionOf(values.version);
  const instances = values.instances === undefined ? {} : { instances: countOf(values.instances, 'instances') };
  const config = await configOf(values);
  const options = {
    ...defaultBlueGreenOptions,
    verify: () => verify(config),
    keep: countOf(values.keep, 'keep'),
    watchMs: timeOf(values['watch-time'], 'watch-time'),
    pollMs: timeOf(values.poll, 'poll'),
    maxErrorRate: rateOf(values['max-error-rate'], 'max-error-rate'),
  };
  const platform = await platformOf(config);
  const outcome = await interruptible((signal) =>
    switchOver(platform, { version, ...instances }, options, blueGreenReport(values.json, terminal), signal),
  );
  if (values.json) terminal.out(JSON.stringify(outcome));
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

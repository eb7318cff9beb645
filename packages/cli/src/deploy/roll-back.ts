import { abortCanary, defaultBlueGreenOptions, platformOf, rollback, switchBack } from '@svc/deploy';
import type { Call } from '../command-line/description.js';
import { ExitCode } from '../terminal.js';
import { configOf, givenCount, timeOf } from './arguments.js';
import { blueGreenReport } from './blue-green.js';
import { interruptible } from '../interruption.js';
import { replacementReport } from './replacement.js';

/** Reverts the running canary, the last rolling update (one environment, or --revision), or the last blue-green switch. */
export async function rollBack(call: Call): Promise<ExitCode> {
  const { options, json, terminal } = call;
  const platform = await platformOf(await configOf(call));
  const revision = givenCount(call, 'revision');
  const report = (kind: string, text: string): ExitCode => {
    terminal.out(json ? JSON.stringify({ kind, text }) : text);
    return ExitCode.ok;
  };
  if ((await platform.note()) !== null) {
    const { from } = await abortCanary(platform);
    return report('canary-reverted', `Reverted the canary: ${from} has all traffic.`);
  }
  if (revision !== undefined || options.flag('previous') || !(await platform.hasTwoEnvironments())) {
    const onProgress = replacementReport(json, terminal);
    const named = revision === undefined ? {} : { revision };
    const target = await interruptible((signal) => rollback(platform, { ...named, onProgress, signal }));
    return report('rolled-back', `Rolled back to revision ${target.revision} (${target.version}).`);
  }
  const evenIfTakenBack = options.flag('even-if-taken-back');
  const given = { ...defaultBlueGreenOptions, pollMs: timeOf(options.defaulted('poll'), 'poll'), evenIfTakenBack };
  const onProgress = blueGreenReport(json, terminal);
  const { front } = await interruptible((signal) => switchBack(platform, given, onProgress, signal));
  return report('switched-back', `${front} has all traffic again.`);
}

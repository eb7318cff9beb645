import { abortCanary, defaultBlueGreenOptions, platformOf, rollback, switchBack } from '@svc/deploy';
import { ExitCode, type Terminal } from '../terminal.js';
import { configOf, countOf, parse, timeOf } from './arguments.js';
import { blueGreenReport } from './blue-green.js';
import { interruptible } from '../interruption.js';
import { replacementReport } from './replacement.js';

/** Reverts the running canary, the last rolling update (one environment, or --revision), or the last blue-green switch. */
export async function rollBack(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const values = parse(args, {
    revision: { type: 'string' },
    previous: { type: 'boolean', default: false },
    'even-if-taken-back': { type: 'boolean', default: false },
    poll: { type: 'string', default: '1s' },
  } as const);
  const platform = await platformOf(await configOf(values));
  const revision = values.revision === undefined ? undefined : countOf(values.revision, 'revision');
  const report = (kind: string, text: string): ExitCode => {
    terminal.out(values.json ? JSON.stringify({ kind, text }) : text);
    return ExitCode.ok;
  };
  if ((await platform.note()) !== null) {
    const { from } = await abortCanary(platform);
    return report('canary-reverted', `Reverted the canary: ${from} has all traffic.`);
  }
  if (revision !== undefined || values.previous || !(await platform.hasTwoEnvironments())) {
    const onProgress = replacementReport(values.json, terminal);
    const named = revision === undefined ? {} : { revision };
    const target = await interruptible((signal) => rollback(platform, { ...named, onProgress, signal }));
    return report('rolled-back', `Rolled back to revision ${target.revision} (${target.version}).`);
  }
  const evenIfTakenBack = values['even-if-taken-back'];
  const options = { ...defaultBlueGreenOptions, pollMs: timeOf(values.poll, 'poll'), evenIfTakenBack };
  const onProgress = blueGreenReport(values.json, terminal);
  const { front } = await interruptible((signal) => switchBack(platform, options, onProgress, signal));
  return report('switched-back', `${front} has all traffic again.`);
}

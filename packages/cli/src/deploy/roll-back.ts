import { abortCanary, defaultBlueGreenOptions, platformOf, rollback, switchBack } from '@svc/deploy';
import { ExitCode, type Terminal } from '../terminal.js';
import { configOf, countOf, parse, timeOf } from './arguments.js';
import { blueGreenReport } from './blue-green.js';
import { interruptible } from '../interruption.js';
import { replacementReport } from './replacement.js';

/** Takes back what was done last: a canary under way, a rolling update (one environment, or --revision), or a blue-green switch. */
export async function rollBack(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const values = parse(args, {
    revision: { type: 'string' },
    previous: { type: 'boolean', default: false },
    'even-if-taken-back': { type: 'boolean', default: false },
    poll: { type: 'string', default: '1s' },
  } as const);
  const platform = await platformOf(await configOf(values));
  const revision = values.revision === undefined ? undefined : countOf(values.revision, 'revision');
  const say = (kind: string, text: string): ExitCode => {
    terminal.out(values.json ? JSON.stringify({ kind, text }) : text);
    return ExitCode.ok;
  };
  if ((await platform.note()) !== null) {
    const { from } = await abortCanary(platform);
    return say('canary-reverted', `The canary is taken back: ${from} has all traffic.`);
  }
  if (revision !== undefined || values.previous || !(await platform.hasTwoEnvironments())) {
    const onProgress = replacementReport(values.json, terminal);
    const named = revision === undefined ? {} : { revision };
    const target = await interruptible((signal) => rollback(platform, { ...named, onProgress, signal }));
    return say('rolled-back', `Back at revision ${target.revision} (${target.version}).`);
  }
  const evenIfTakenBack = values['even-if-taken-back'];
  const options = { ...defaultBlueGreenOptions, pollMs: timeOf(values.poll, 'poll'), evenIfTakenBack };
  const report = blueGreenReport(values.json, terminal);
  const { front } = await interruptible((signal) => switchBack(platform, options, report, signal));
  return say('switched-back', `${front} has all traffic again.`);
}

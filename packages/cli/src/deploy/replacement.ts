import { platformOf, rolloutRecreate, rolloutRolling, type ReplacementProgress } from '@svc/deploy';
import { ExitCode, type Terminal } from '../terminal.js';
import { configOf, countOf, parse, versionOf } from './arguments.js';
import { interruptible } from '../interruption.js';

export async function rolling(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const values = parse(args, {
    version: { type: 'string' },
    'max-unavailable': { type: 'string', default: '1' },
    'max-surge': { type: 'string', default: '2' },
  } as const);
  const version = versionOf(values.version);
  const limits = {
    maxUnavailable: countOf(values['max-unavailable'], 'max-unavailable'),
    maxSurge: countOf(values['max-surge'], 'max-surge'),
  };
  const platform = await platformOf(await configOf(values));
  const onProgress = replacementReport(values.json, terminal);
  await interruptible((signal) => rolloutRolling(platform, { version, limits, onProgress, signal }));
  return done(`All instances run ${version}. To go back, run svc deploy rollback.`, version, values.json, terminal);
}

export async function recreate(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const values = parse(args, {
    version: { type: 'string' },
    'even-if-critical': { type: 'boolean', default: false },
  } as const);
  const version = versionOf(values.version);
  const platform = await platformOf(await configOf(values));
  const onProgress = replacementReport(values.json, terminal);
  const evenIfCritical = values['even-if-critical'];
  await interruptible((signal) => rolloutRecreate(platform, { version, evenIfCritical, onProgress, signal }));
  return done(`All instances run ${version}.`, version, values.json, terminal);
}

export function replacementReport(json: boolean, terminal: Terminal): (progress: ReplacementProgress) => void {
  let last = '';
  return (progress) => {
    const { wanted, updated, available, total } = progress;
    const line = json
      ? JSON.stringify({ kind: 'progress', ...progress })
      : `${Math.max(0, updated)} of ${wanted} new, ${available} available, ${total} in total`;
    if (line !== last) terminal.out(line);
    last = line;
  };
}

function done(text: string, version: string, json: boolean, terminal: Terminal): ExitCode {
  terminal.out(json ? JSON.stringify({ kind: 'done', version }) : text);
  return ExitCode.ok;
}

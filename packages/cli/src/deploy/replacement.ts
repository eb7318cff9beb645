import { platformOf, rolloutRecreate, rolloutRolling, type ReplacementProgress } from '@svc/deploy';
import type { Call } from '../command-line/description.js';
import { ExitCode, type Terminal } from '../terminal.js';
import { configOf, countOf, versionOf } from './arguments.js';
import { interruptible } from '../interruption.js';

export async function rolling(call: Call): Promise<ExitCode> {
  const { options, json, terminal } = call;
  const version = versionOf(options.text('version'));
  const limits = {
    maxUnavailable: countOf(options.defaulted('max-unavailable'), 'max-unavailable'),
    maxSurge: countOf(options.defaulted('max-surge'), 'max-surge'),
  };
  const platform = await platformOf(await configOf(call));
  const onProgress = replacementReport(json, terminal);
  await interruptible((signal) => rolloutRolling(platform, { version, limits, onProgress, signal }));
  return done(`All instances run ${version}. To go back, run svc deploy rollback.`, version, json, terminal);
}

export async function recreate(call: Call): Promise<ExitCode> {
  const { options, json, terminal } = call;
  const version = versionOf(options.text('version'));
  const platform = await platformOf(await configOf(call));
  const onProgress = replacementReport(json, terminal);
  const evenIfCritical = options.flag('even-if-critical');
  await interruptible((signal) => rolloutRecreate(platform, { version, evenIfCritical, onProgress, signal }));
  return done(`All instances run ${version}.`, version, json, terminal);
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

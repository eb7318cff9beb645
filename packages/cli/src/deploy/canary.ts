import {
  canaryOptions,
  platformOf,
  resumeCanary,
  startCanary,
  type CanaryOptions,
  type CanaryOutcome,
  type CanaryProgress,
} from '@svc/deploy';
import type { Call } from '../command-line/description.js';
import { counted } from '../counted.js';
import { ExitCode, type Terminal } from '../terminal.js';
import { configOf, countOf, givenCount, rateOf, timeOf, versionOf } from './arguments.js';
import { percent, sampleText, seconds, splitText } from './figures.js';
import { interruptible } from '../interruption.js';

export async function canary(call: Call): Promise<ExitCode> {
  const { options, json, terminal } = call;
  const given = canaryOptions(optionsOf(call));
  const platform = await platformOf(await configOf(call));
  const report = json
    ? (progress: CanaryProgress) => terminal.out(JSON.stringify(progress))
    : (progress: CanaryProgress) => show(progress, given, terminal);
  const outcome = await interruptible((signal) =>
    options.flag('resume')
      ? resumeCanary(platform, given, report, signal)
      : startCanary(platform, requestOf(call), given, report, signal),
  );
  return exitCodeOf(outcome);
}

function requestOf(call: Call): { version?: string; instances?: number } {
  const version = call.options.text('version');
  const instances = givenCount(call, 'instances');
  return {
    ...(version === undefined ? {} : { version: versionOf(version) }),
    ...(instances === undefined ? {} : { instances }),
  };
}

function optionsOf(call: Call): Partial<CanaryOptions> {
  const { options } = call;
  const time = (option: string): number | undefined => {
    const text = options.text(option);
    return text === undefined ? undefined : timeOf(text, option);
  };
  const rate = options.text('max-error-rate');
  const given = {
    stages: options
      .text('stages')
      ?.split(',')
      .map((stage) => countOf(stage.trim(), 'stages')),
    stageMs: time('stage-time'),
    noDataMs: time('no-data-time'),
    lostMs: time('lost-time'),
    readyMs: time('ready-time'),
    pollMs: time('poll'),
    maxErrorRate: rate === undefined ? undefined : rateOf(rate, 'max-error-rate'),
    minRequests: givenCount(call, 'min-requests'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function show(progress: CanaryProgress, { minRequests }: CanaryOptions, terminal: Terminal): void {
  switch (progress.kind) {
    case 'begun':
      terminal.out(`Canary ${progress.version ?? ''} from ${progress.from} to ${progress.to}.`.replace('  ', ' '));
      return;
    case 'stage': {
      const { stage, split, sample, elapsedMs, stageMs, waitingForData } = progress;
      const wait = waitingForData ? `; waiting for ${counted(minRequests, 'request')}` : ` of ${seconds(stageMs)}`;
      const line = `stage ${stage} %  ${splitText(split)}  ${sampleText(sample)}  ${seconds(elapsedMs)}${wait}`;
      (terminal.live ?? terminal.out)(line);
      return;
    }
    case 'passed':
      terminal.out(`stage ${progress.stage} % passed: ${sampleText(progress.sample)}.`);
      return;
    case 'lost':
      terminal.error(`The platform is unreachable; the canary is paused: ${progress.error}`);
      return;
    case 'ended':
      terminal.out(ending(progress.outcome));
  }
}

function ending(outcome: CanaryOutcome): string {
  switch (outcome.result) {
    case 'promoted':
      return `Promoted: ${outcome.to} has all traffic. The other environment is still running; stop it with svc deploy scale.`;
    case 'reverted': {
      const { stage, sample, split, reason } = outcome;
      const why = {
        'error-rate': `${percent(sample.errors / Math.max(1, sample.requests))} of ${counted(sample.requests, 'request')} failed`,
        'no-data': `not enough data: only ${counted(sample.requests, 'request')}`,
        'not-ready': 'no instance of the new version is ready',
      }[reason];
      return `Reverted in stage ${stage} % (${why}). Now ${splitText(split)}.`;
    }
    case 'interrupted':
      return `Interrupted in stage ${outcome.stage} %. The old version has all traffic: ${splitText(outcome.split)}. Continue with --resume.`;
    case 'unreachable':
      return outcome.split === null
        ? `The platform is unreachable (${outcome.error}). The split of stage ${outcome.stage} % is unchanged. Continue with --resume, or run svc deploy rollback.`
        : `The platform was unreachable for too long (${outcome.error}). The old version has all traffic. Continue with --resume.`;
  }
}

function exitCodeOf(outcome: CanaryOutcome): ExitCode {
  if (outcome.result === 'promoted') return ExitCode.ok;
  if (outcome.result === 'reverted') return outcome.reason === 'no-data' ? ExitCode.noData : ExitCode.reverted;
  return outcome.result === 'interrupted' ? ExitCode.interrupted : ExitCode.unreachable;
}

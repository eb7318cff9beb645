import { RebuildMode, type RebuildResult } from '@svc/core';
import { OperationKind, type RebuildArguments } from '@svc/core/hosting';
import { counted } from '../counted.js';
import { UsageError } from '../failures.js';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { requestOperation } from '../operations/request-operation.js';
import type { ExitCode } from '../terminal.js';
import { knownPerspective } from './known-perspective.js';

/** What a cancelled rebuild means for the models. */
const cancelled: Readonly<Record<RebuildMode, string>> = {
  BlueGreen: 'Cancelled. The models are unchanged.',
  InPlace: 'Cancelled. The service continues to fill the table in the background.',
  SelectedStreams: 'Cancelled. The streams processed so far are rebuilt.',
};

export async function rebuild(call: DatabaseCall): Promise<ExitCode> {
  const given = rebuildArguments(call);
  const target = await knownPerspective(call.positionals[0], call.database);
  return await requestOperation(call, {
    kind: OperationKind.RebuildPerspective,
    target,
    arguments: given,
    isAlone: true,
    detach: call.options.flag('detach'),
    cancelled: cancelled[given.mode ?? RebuildMode.BlueGreen],
    done: ({ result, startedAt, finishedAt }) => {
      const { streamsProcessed, eventsReplayed, stoppedStreams = 0 } = result as RebuildResult;
      const seconds = ((finishedAt! - startedAt!) / 1000).toFixed(1);
      const done = `Rebuilt ${target}: ${counted(streamsProcessed, 'stream')}, ${counted(eventsReplayed, 'event')} in ${seconds} s.`;
      return { text: stoppedStreams === 0 ? done : `${done}\n${stoppedSentence(target, stoppedStreams)}` };
    },
  });
}

function stoppedSentence(target: string, count: number): string {
  return `${counted(count, 'stream')} ${count === 1 ? 'is' : 'are'} stopped, because ${target} failed at them: svc perspectives list shows the errors.`;
}

function rebuildArguments({ options }: DatabaseCall): RebuildArguments {
  const streams = options.texts('stream').map((text) => idOf('--stream', text));
  const mode = options.text('mode') ?? (streams.length > 0 ? RebuildMode.SelectedStreams : RebuildMode.BlueGreen);
  const modes: readonly string[] = Object.values(RebuildMode);
  if (!modes.includes(mode)) throw new UsageError(`--mode must be one of ${modes.join(', ')}, not "${mode}".`);
  if ((mode === RebuildMode.SelectedStreams) !== streams.length > 0)
    throw new UsageError('--stream and --mode SelectedStreams must be given together.');
  const eventsPerSecond = options.number('events-per-second');
  // New events are applied to the same table and cannot be delayed.
  if (eventsPerSecond !== undefined && mode === RebuildMode.InPlace)
    throw new UsageError('--events-per-second cannot be combined with --mode InPlace.');
  const acceptFailures = options.flag('accept-failures');
  // The other modes change the serving models as they go.
  if (acceptFailures && mode !== RebuildMode.BlueGreen)
    throw new UsageError('--accept-failures can only be combined with --mode BlueGreen.');
  return {
    mode: mode as RebuildMode,
    ...(streams.length > 0 && { streams }),
    ...(eventsPerSecond !== undefined && { eventsPerSecond }),
    ...(acceptFailures && { acceptFailures }),
  };
}

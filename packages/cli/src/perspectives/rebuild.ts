import { RebuildMode, type RebuildResult } from '@svc/core';
import { OperationKind, type RebuildArguments } from '@svc/core/hosting';
import { UsageError } from '../database/failures.js';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/subcommands.js';
import { ask } from '../operations/ask.js';
import { figure } from '../operations/progress-meter.js';
import type { ExitCode } from '../terminal.js';
import { knownPerspective } from './known-perspective.js';

/** What has happened to the models when a rebuild was cancelled. */
const cancelled: Readonly<Record<RebuildMode, string>> = {
  BlueGreen: 'Cancelled. The models are as they were.',
  InPlace: 'Cancelled. The service goes on filling the table in the background.',
  SelectedStreams: 'Cancelled. The streams that were done until then are made anew.',
};

export async function rebuild(call: DatabaseCall): Promise<ExitCode> {
  const given = rebuildArguments(call);
  const target = await knownPerspective(call.positionals[0], call.database);
  return await ask(call, {
    kind: OperationKind.RebuildPerspective,
    target,
    arguments: given,
    isAlone: true,
    detach: call.options.flag('detach'),
    cancelled: cancelled[given.mode ?? RebuildMode.BlueGreen],
    done: ({ result, startedAt, finishedAt }) => {
      const { streamsProcessed, eventsReplayed } = result as RebuildResult;
      const seconds = ((finishedAt! - startedAt!) / 1000).toFixed(1);
      return {
        text: `Rebuilt ${target}: ${figure(streamsProcessed)} streams, ${figure(eventsReplayed)} events in ${seconds} s.`,
      };
    },
  });
}

function rebuildArguments({ options }: DatabaseCall): RebuildArguments {
  const streams = options.texts('stream').map((text) => idOf('--stream', text));
  const mode = options.text('mode') ?? (streams.length > 0 ? RebuildMode.SelectedStreams : RebuildMode.BlueGreen);
  const modes: readonly string[] = Object.values(RebuildMode);
  if (!modes.includes(mode)) throw new UsageError(`--mode is one of ${modes.join(', ')}, not "${mode}".`);
  if ((mode === RebuildMode.SelectedStreams) !== streams.length > 0)
    throw new UsageError('--stream and --mode SelectedStreams go together.');
  const eventsPerSecond = options.number('events-per-second');
  // What happens meanwhile goes into the same table, and cannot wait.
  if (eventsPerSecond !== undefined && mode === RebuildMode.InPlace)
    throw new UsageError('--events-per-second does not go with --mode InPlace.');
  return {
    mode: mode as RebuildMode,
    ...(streams.length > 0 && { streams }),
    ...(eventsPerSecond !== undefined && { eventsPerSecond }),
  };
}

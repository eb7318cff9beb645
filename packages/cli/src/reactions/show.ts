import type { FailedStreamRecord } from '@svc/core/storage';
import { counted } from '../counted.js';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { figure } from '../operations/progress-meter.js';
import { printable } from '../printable.js';
import { ExitCode } from '../terminal.js';
import { knownReaction } from './known-reaction.js';
import { behindText } from './list.js';

/** Shows a reaction and its failed streams. */
export async function show({ database, options, positionals, json, terminal }: DatabaseCall): Promise<ExitCode> {
  const after = options.text('after');
  const limit = Math.ceil(options.number('limit')!);
  const { name, sequence, isPaused, startedAt, startedAfter, behind, waiting, parked } = await knownReaction(
    positionals[0],
    database,
  );
  const from = after === undefined ? null : idOf('--after', after);
  const streams = await database.storage.reactions.readFailed(name, from, limit);
  const started = new Date(startedAt).toISOString();
  if (json) {
    const about = { name, sequence, isPaused, startedAt: started, startedAfter, behind, waiting, parked };
    terminal.out(JSON.stringify({ ...about, streams }, null, 2));
    return ExitCode.ok;
  }
  const state = isPaused ? ' It is paused.' : '';
  const place = `${name} is at place ${sequence}, ${behindText(behind)} ${behind === 1 ? 'event' : 'events'} behind.${state}`;
  const start = `It started at ${started} after place ${startedAfter}.`;
  const failed = `${counted(waiting, 'stream')} ${waiting === 1 ? 'waits' : 'wait'} for a retry, ${figure(parked)} ${parked === 1 ? 'is' : 'are'} parked.`;
  terminal.out([`${place}\n${start}\n${failed}`, ...streams.map(streamText)].join('\n'));
  const last = streams.at(-1);
  if (last !== undefined && streams.length === limit)
    terminal.out(`\nMore may follow: svc reactions show ${name} --after ${last.streamId}`);
  return ExitCode.ok;
}

function streamText(stream: FailedStreamRecord): string {
  const { streamId, position, eventId, attempts, retryInMs, errorName, errorMessage } = stream;
  const next = retryInMs === null ? 'parked' : `next attempt in ${(retryInMs / 1000).toFixed(1)} s`;
  const where = `${streamId} at event ${position} (${eventId}), ${counted(attempts, 'attempt')}, ${next}`;
  return `  ${where}: ${printable(`${errorName}: ${errorMessage}`)}`;
}

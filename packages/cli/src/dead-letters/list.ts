import type { DeadLetterRecord, Uuid } from '@svc/core';
import { UsageError } from '../database/failures.js';
import { idOf } from '../database/ids.js';
import type { DatabaseCall, Options } from '../database/subcommands.js';
import { requireCurrentSchema } from '../operations/current-schema.js';
import { printable } from '../printable.js';
import { table } from '../table.js';
import { ExitCode } from '../terminal.js';

const pageSize = 500;
const defaultLimit = 50;

/** What was put aside, the oldest first. Bodies, and errors that may repeat them, are for `show`. */
export async function list({ database, options, json, terminal }: DatabaseCall): Promise<ExitCode> {
  const direction = directionOf(options);
  const after = options.text('after');
  const first = after === undefined ? null : idOf('--after', after);
  const limit = Math.ceil(options.number('limit') ?? defaultLimit);
  await requireCurrentSchema(database);
  const letters: DeadLetterRecord[] = [];
  for (let behind: Uuid | null = first; letters.length <= limit;) {
    const page: readonly DeadLetterRecord[] = await database.storage.readDeadLetters(behind, pageSize);
    letters.push(...page.filter((letter) => direction === undefined || letter.direction === direction));
    if (page.length < pageSize) break;
    behind = page.at(-1)!.id;
  }
  const shown = letters.slice(0, limit);
  const next = letters.length > limit ? shown.at(-1)!.id : null;
  if (json) {
    terminal.out(JSON.stringify({ database: database.where, deadLetters: shown.map(summary), next }, null, 2));
    return ExitCode.ok;
  }
  if (shown.length === 0) terminal.out(`${database.where}: no dead letters.`);
  else terminal.out(table([heading, ...shown.map(row)]));
  if (next !== null) terminal.out(`\nThere are more: --after ${next}`);
  return ExitCode.ok;
}

export function directionOf(options: Options): DeadLetterRecord['direction'] | undefined {
  const direction = options.text('direction');
  if (direction === undefined || direction === 'incoming' || direction === 'outgoing') return direction;
  throw new UsageError(`--direction is incoming or outgoing, not "${direction}".`);
}

const heading = ['id', 'direction', 'cause', 'message', 'topic', 'error', 'attempts', 'last failed'];

function row({ id, direction, cause, message, destination, errorName, attempts, lastFailedAt }: DeadLetterRecord) {
  const last = new Date(lastFailedAt).toISOString();
  return [id, direction, cause, message.type, destination, errorName, String(attempts), last].map(printable);
}

function summary({ id, direction, cause, destination, origin, message, ...rest }: DeadLetterRecord): object {
  const { errorName, attempts, firstFailedAt, lastFailedAt } = rest;
  return {
    id,
    direction,
    cause,
    destination,
    origin,
    messageId: message.id,
    messageType: message.type,
    streamId: message.streamId,
    errorName,
    attempts,
    firstFailedAt: new Date(firstFailedAt).toISOString(),
    lastFailedAt: new Date(lastFailedAt).toISOString(),
  };
}

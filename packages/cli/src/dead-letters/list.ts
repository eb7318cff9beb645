import { listed, matchingDeadLetters } from '@svc/core/hosting';
import { DeadLetterCause, type DeadLetterRecord } from '@svc/core/storage';
import { UsageError } from '../failures.js';
import { idOf } from '../database/ids.js';
import type { Options } from '../command-line/options.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { requireCurrentSchema } from '../operations/current-schema.js';
import { table } from '../table.js';
import { ExitCode } from '../terminal.js';

/** Lists dead letters, oldest first. Only `show` prints bodies, and errors that may quote them. */
export async function list({ database, options, json, terminal }: DatabaseCall): Promise<ExitCode> {
  const direction = directionOf(options);
  const cause = causeOf(options);
  const after = options.text('after');
  const from = after === undefined ? {} : { after: idOf('--after', after) };
  const limit = Math.ceil(options.number('limit')!);
  await requireCurrentSchema(database);
  const wanted = { ...(direction !== undefined && { direction }), ...(cause !== undefined && { cause }) };
  const found = await matchingDeadLetters(database.storage, { ...from, ...wanted, limit: limit + 1 });
  const { items: shown, next } = listed(found, limit, ({ id }) => id);
  if (json) {
    terminal.out(JSON.stringify({ database: database.where, deadLetters: shown.map(summary), next }, null, 2));
    return ExitCode.ok;
  }
  if (shown.length === 0) terminal.out(`${database.where}: no dead letters.`);
  else terminal.out(table([heading, ...shown.map(row)]));
  if (next !== null) terminal.out(`\nMore dead letters: --after ${next}`);
  return ExitCode.ok;
}

export function directionOf(options: Options): DeadLetterRecord['direction'] | undefined {
  const direction = options.text('direction');
  const known = (['incoming', 'outgoing', 'scheduled'] as const).find((one) => one === direction);
  if (direction === undefined || known !== undefined) return known;
  throw new UsageError(`--direction must be incoming, outgoing or scheduled, not "${direction}".`);
}

export function causeOf(options: Options): DeadLetterCause | undefined {
  const cause = options.text('cause');
  const known = Object.values(DeadLetterCause).find((one) => one === cause);
  if (cause === undefined || known !== undefined) return known;
  throw new UsageError(`--cause must be one of ${Object.values(DeadLetterCause).join(', ')}, not "${cause}".`);
}

const heading = ['id', 'direction', 'cause', 'message', 'topic', 'origin', 'error', 'attempts', 'last failed'];

function row(letter: DeadLetterRecord) {
  const { id, direction, cause, message, destination, origin, errorName, attempts, lastFailedAt } = letter;
  const last = new Date(lastFailedAt).toISOString();
  return [id, direction, cause, message.type, destination, origin, errorName, String(attempts), last];
}

function summary(letter: DeadLetterRecord): object {
  const { id, direction, cause, destination, origin, provenOrigin = null, message, ...rest } = letter;
  const { errorName, attempts, firstFailedAt, lastFailedAt } = rest;
  return {
    id,
    direction,
    cause,
    destination,
    origin,
    provenOrigin,
    messageId: message.id,
    messageType: message.type,
    streamId: message.streamId,
    errorName,
    attempts,
    firstFailedAt: new Date(firstFailedAt).toISOString(),
    lastFailedAt: new Date(lastFailedAt).toISOString(),
  };
}

import { OperatorActionKind } from '@svc/core/hosting';
import { Rejection } from '../failures.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { recorderOf } from '../operations/recorder.js';
import { printable } from '../printable.js';
import { properties } from '../properties.js';
import { ExitCode } from '../terminal.js';
import { deadLetterId } from './dead-letter-id.js';

/** Shows a dead letter with its body. The operator is recorded before anything is printed. */
export async function show(call: DatabaseCall): Promise<ExitCode> {
  const { database, json, terminal } = call;
  const id = deadLetterId(call);
  const recorded = await recorderOf(call);
  const letter = await database.storage.findDeadLetter(id);
  if (letter === null)
    throw new Rejection(
      `Dead letter ${id} does not exist. It may have been replayed or discarded; run svc dead-letters list.`,
    );
  const action = { kind: OperatorActionKind.ShowDeadLetter, target: null, arguments: { deadLetter: id } };
  const { message, firstFailedAt, lastFailedAt, ...rest } = await recorded(action, () => Promise.resolve(letter));
  const times = {
    firstFailedAt: new Date(firstFailedAt).toISOString(),
    lastFailedAt: new Date(lastFailedAt).toISOString(),
  };
  const { body, ...about } = { ...message, timestamp: new Date(message.timestamp).toISOString() };
  if (json) {
    terminal.out(JSON.stringify({ ...rest, ...times, message: { ...about, body } }, null, 2));
    return ExitCode.ok;
  }
  terminal.out(`${properties({ ...rest, ...times })}\n\nmessage\n${properties(about)}\n\nbody\n${printable(body)}`);
  return ExitCode.ok;
}

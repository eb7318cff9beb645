import { isRecurringKey, OperatorActionKind } from '@svc/core/hosting';
import type { ScheduledCommand } from '@svc/core/storage';
import { Rejection, UsageError } from '../failures.js';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { recorderOf } from '../operations/recorder.js';
import { ExitCode } from '../terminal.js';

/** Removes a scheduled command, and records the operator. */
export async function cancel(call: DatabaseCall): Promise<ExitCode> {
  const { schedule } = call.database.storage;
  return await change(call, {
    kind: OperatorActionKind.CancelScheduled,
    check: ({ key, message }) => {
      if (!isRecurringKey(key)) return;
      throw new Rejection(`${message.type} recurs, so it cannot be cancelled. Remove @recurring from its class.`);
    },
    work: ({ message }) => schedule.cancel(message.id),
    done: 'cancelled',
  });
}

/** Makes a scheduled command due, and records the operator. */
export async function makeDue(call: DatabaseCall): Promise<ExitCode> {
  const { schedule } = call.database.storage;
  return await change(call, {
    kind: OperatorActionKind.RunScheduled,
    check: () => {},
    work: ({ message }) => schedule.makeDue(message.id),
    done: 'due now',
  });
}

interface Change {
  readonly kind: OperatorActionKind;
  /** Throws if the command must not be changed. */
  readonly check: (command: ScheduledCommand) => void;
  /** False: the command has been settled since. */
  readonly work: (command: ScheduledCommand) => Promise<boolean>;
  readonly done: string;
}

async function change(call: DatabaseCall, { kind, check, work, done }: Change): Promise<ExitCode> {
  const { database, positionals, json, terminal } = call;
  const [text] = positionals;
  if (text === undefined) throw new UsageError('No command given. Run svc schedule list to see their ids.');
  const id = idOf('The id of a scheduled command', text);
  const recorded = await recorderOf(call);
  const command = await database.storage.schedule.find(id);
  if (command === null) throw gone(id, database.where);
  check(command);
  const { type } = command.message;
  const isDone = await recorded({ kind, target: type, arguments: { command: id } }, () => work(command));
  if (!isDone) throw gone(id, database.where);
  terminal.out(json ? JSON.stringify({ id, type, state: done }, null, 2) : `${type} ${id}: ${done}.`);
  return ExitCode.ok;
}

function gone(id: string, where: string): Rejection {
  return new Rejection(
    `Scheduled command ${id} does not exist in ${where}. It may have run or been cancelled; run svc schedule list.`,
  );
}

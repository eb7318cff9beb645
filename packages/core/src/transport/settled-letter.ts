import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import {
  MessageSettledError,
  type CommitRecord,
  type DeadLetterRecord,
  type EventLog,
  type EventRecord,
  type OutgoingRecord,
} from '../storage/index.js';
import { isRejection } from './message-rejected-error.js';

/** A dead letter that is replayed: the log that has it, the message that takes effect, and the record of the replay. */
export interface Replay {
  readonly log: EventLog;
  readonly letter: DeadLetterRecord;
  /** The message of the dead letter, or the edited one that replaces it. */
  readonly message: EventRecord;
  readonly replayed: OutgoingRecord;
}

/** Whether an operator has replaced the message. */
export function isEdit({ letter, message }: Replay): boolean {
  return message !== letter.message;
}

/** What is committed with a replayed message. */
type Settles = Pick<CommitRecord, 'received' | 'resolved'> & Partial<Pick<CommitRecord, 'outgoing'>>;

/**
 * Receives a message and resolves its dead letter in one commit. `receivedId`: the id under which the message is recorded as received. A rejected message is not recorded
 * so, and may have arrived again since it is admitted: then only its dead letter is resolved, and an edit is rejected.
 */
export async function receivedOnce(
  replay: Replay,
  target: EventLog,
  receivedId: Uuid,
  receive: (settles: Settles) => void | Promise<void>,
): Promise<void> {
  const { log, letter, replayed } = replay;
  const { id, cause } = letter;
  const isElsewhere = target !== log;
  const received = isElsewhere || isRejection(cause) ? [receivedId] : [];
  try {
    // Another database cannot resolve the letter in its commit. If the second commit fails, the next replay repeats only that.
    await once(id, () => receive(isElsewhere ? { received } : { received, resolved: id, outgoing: [replayed] }));
  } catch (error) {
    if (!(error instanceof MessageSettledError)) throw error;
    if (isEdit(replay)) throw takenEffect(letter);
    return await resolve(log, id, [replayed]);
  }
  if (isElsewhere) await resolve(log, id, [replayed]);
}

/** Removes a dead letter. */
export function resolve(log: EventLog, id: Uuid, outgoing: readonly OutgoingRecord[]): Promise<void> {
  return once(id, () => log.commit({ events: [], outgoing, delivered: null, received: [], resolved: id }));
}

/** Throws if the dead letter was resolved before. */
export async function once(id: Uuid, commit: () => void | Promise<void>): Promise<void> {
  try {
    await commit();
  } catch (error) {
    if (error instanceof MessageSettledError && error.messageId === id) throw unknown(id);
    throw error;
  }
}

export function unknown(id: Uuid): ServiceError {
  return new ServiceError(
    'SVC_UNKNOWN_DEAD_LETTER',
    `There is no dead letter ${id}: it was replayed, discarded, or never existed. List the dead letters to see which exist.`,
  );
}

/** It was delivered again, or an earlier edit was interrupted before it resolved the dead letter in another database. */
function takenEffect({ id, message }: DeadLetterRecord): ServiceError {
  return new ServiceError(
    'SVC_DEAD_LETTER_NOT_EDITABLE',
    `Cannot edit the dead letter ${id}: its message ${message.id}, or an edited one, has taken effect since. Discard the dead letter.`,
  );
}

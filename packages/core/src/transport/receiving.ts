import { parseJson, type Uuid } from '../json/index.js';
import { observeId, type MessageRegistry } from '../messages/index.js';
import {
  DuplicateEventError,
  ForeignStreamError,
  MessageSettledError,
  StorageUnavailableError,
  type EventLog,
  type PendingRecord,
} from '../storage/index.js';
import type { Admission } from './admission.js';
import { FailedAttempts } from './failed-attempts.js';
import { MessageRejectedError } from './message-rejected-error.js';
import type { ToReceivedEvent } from './received-event.js';
import type { ReceivedMessage, ReceiveMessages, Refusal } from './transport.js';

/** How often one message is tried that fails although the storage is there; that is half a minute, with the pauses between. */
export const mostReceiveAttempts = 10;

/**
 * Stores what other hosts publish, each message once, in its stream. It is neither audited nor published again: the host it comes
 * from has done both. Types that this host does not know are left alone. What the guard does not admit is refused, and so is what cannot be
 * stored, however often it is tried; until then it holds back those of its own stream and no others. A message that fails as one does that is
 * given up before it in its stream is given up with it: that failure has been waited for (decision 0082).
 */
export function receiving(
  log: EventLog,
  messages: MessageRegistry,
  admission: Pick<Admission, 'event'>,
  toEvent: ToReceivedEvent,
): ReceiveMessages {
  const failing = new FailedAttempts();
  /** The messages of a batch that comes again which were stored when it came before. */
  let stored = new Set<Uuid>();

  /** What cannot be read must not be stored: it would stop everything that reads the stream. */
  const flawOf = ({ type, body, metadata }: ReceivedMessage): Error | null => {
    try {
      messages.readKept(type, parseJson(body), metadata);
      return null;
    } catch (error) {
      return asError(error);
    }
  };

  /** Stores them as one record. When that fails, the halves are stored one after the other: one flaw must not hold up the rest. */
  async function keep(some: readonly Arrival[], result: Result): Promise<void> {
    const batch = some.filter(({ event: { streamId } }) => !result.heldBack.has(streamId));
    if (batch.length === 0) return;
    try {
      await log.commit({
        events: batch.map(({ event }) => event),
        outgoing: [],
        delivered: null,
        received: batch.map(({ event: { id } }) => id),
      });
      for (const { message } of batch) stored.add(message.id);
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error;
      if (batch.length === 1) return notKept(batch[0]!, error, result);
      const half = batch.length >> 1;
      await keep(batch.slice(0, half), result);
      await keep(batch.slice(half), result);
    }
  }

  function notKept({ message }: Arrival, error: unknown, { refused, heldBack, givenUp }: Result): void {
    // It came before.
    if (error instanceof MessageSettledError) return void stored.add(message.id);
    if (isLasting(error)) return void refused.push({ message, cause: asError(error) });
    const attempts = failing.count(message.id);
    const failure = `${message.streamId} ${kindOf(error)}`;
    if (attempts < mostReceiveAttempts && !givenUp.has(failure)) return void heldBack.set(message.streamId, error);
    givenUp.add(failure);
    refused.push({ message, cause: asError(error), attempts });
  }

  return async (batch) => {
    const refused: Refusal[] = [];
    const heldBack = new Map<Uuid, unknown>();
    const wanted = new Map<Uuid, Arrival>();
    stored = new Set(batch.map(({ id }) => id).filter((id) => stored.has(id)));
    for (const message of batch) {
      if (wanted.has(message.id) || stored.has(message.id)) continue;
      const verdict = admission.event(message);
      if (verdict === null) continue;
      if (verdict instanceof MessageRejectedError) {
        refused.push({ message, cause: verdict });
        continue;
      }
      const flaw = flawOf(message);
      if (flaw !== null) {
        refused.push({ message, cause: flaw });
        continue;
      }
      observeId(message.id);
      wanted.set(message.id, { message, event: toEvent(message, verdict) });
    }
    await keep([...wanted.values()], { refused, heldBack, givenUp: new Set() });
    // They come again, and those that are refused with them: nobody has been told of those yet.
    if (heldBack.size > 0) throw heldBack.values().next().value;
    failing.forget(wanted.keys());
    stored.clear();
    return refused;
  };
}

/** The storage has another event of this id, or the stream belongs to another tenant: the next attempt would fail as well. */
export function isLasting(error: unknown): boolean {
  return error instanceof DuplicateEventError || error instanceof ForeignStreamError;
}

/** A message that may enter, and the event that it becomes. */
interface Arrival {
  readonly message: ReceivedMessage;
  readonly event: PendingRecord;
}

/** What became of a batch so far. */
interface Result {
  readonly refused: Refusal[];
  /** Streams of which one message is to be tried again, and why it was not stored. */
  readonly heldBack: Map<Uuid, unknown>;
  /** Streams of which a message was tried often enough, each with the kind of its failure. */
  readonly givenUp: Set<string>;
}

/** What failures of the same kind have in common. Not their text, which often names the message. */
function kindOf(error: unknown): string {
  // `errcode` is where SQLite tells its errors apart.
  const { name, code, errcode } = asError(error) as { name: string; code?: unknown; errcode?: unknown };
  return [name, code, errcode].join(' ');
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}

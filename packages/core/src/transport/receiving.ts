import { parseJson, type Uuid } from '../json/index.js';
import { observeId, tenantOfEvent, type MessageRegistry } from '../messages/index.js';
import {
  DuplicateEventError,
  ForeignStreamError,
  MessageSettledError,
  StorageUnavailableError,
  type EventLog,
  type PendingRecord,
} from '../storage/index.js';
import type { Admission } from './admission.js';
import { isContentFlaw } from './content-flaw.js';
import { FailedAttempts } from './failed-attempts.js';
import { metadataErrorOf } from './metadata-flaw.js';
import { MessageRejectedError } from './message-rejected-error.js';
import type { ToReceivedEvent } from './received-event.js';
import { receivedIdOf } from './mapped-id.js';
import { everyTenant, type PlaceTenant } from './place-tenant.js';
import type { ReceivedMessage, ReceiveMessages, UnprocessableMessage } from './transport.js';

/** How often a message is tried if the storage is available; with the delays this takes half a minute. */
export const mostReceiveAttempts = 10;

/** Prepares an event to be stored: its personal data are encrypted. Throws if it must not be stored. */
export type PrepareEvent = <T extends Pick<ReceivedMessage, 'type' | 'body' | 'metadata'>>(message: T) => Promise<T>;

export interface ReceivingOptions {
  readonly place?: PlaceTenant;
  /** Null: no event has personal data. */
  readonly prepare?: PrepareEvent | null;
}

/**
 * Appends events from other hosts to their streams, each once, without audit or publication: their origin has done both. Unknown types are
 * ignored. Events that are not admitted, or fail in every attempt, are returned; until then they hold back later events of their stream only.
 * Events of that stream with the same failure are returned without further attempts (decision 0082).
 */
export function receiving(
  log: EventLog,
  messages: MessageRegistry,
  admission: Pick<Admission, 'event'>,
  toEvent: ToReceivedEvent,
  { place = everyTenant, prepare = null }: ReceivingOptions = {},
): ReceiveMessages {
  const failing = new FailedAttempts();
  /** The messages that were stored when the same batch was delivered before. */
  let stored = new Set<Uuid>();

  /** An unreadable event must not be stored: it would stop every reader of the stream. */
  const flawOf = ({ type, body, metadata }: ReceivedMessage): Error | null => {
    try {
      messages.readStoredMessage(type, parseJson(body), metadata);
      return null;
    } catch (error) {
      return asError(error);
    }
  };

  /** Stores messages in one commit. If that fails, stores each half separately, so that a bad message fails alone. */
  async function store(some: readonly Arrival[], result: Result): Promise<void> {
    const batch = some.filter(({ event: { streamId } }) => !result.heldBack.has(streamId));
    if (batch.length === 0) return;
    try {
      await log.commit({
        events: batch.map(({ event }) => event),
        outgoing: [],
        delivered: null,
        received: batch.map(({ message }) => receivedIdOf(message)),
      });
      for (const { message } of batch) stored.add(receivedIdOf(message));
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error;
      if (batch.length === 1) return notStored(batch[0]!, error, result);
      const half = batch.length >> 1;
      await store(batch.slice(0, half), result);
      await store(batch.slice(half), result);
    }
  }

  function notStored({ message }: Arrival, error: unknown, { unprocessable, heldBack, givenUp }: Result): void {
    // It was already received.
    if (error instanceof MessageSettledError) return void stored.add(receivedIdOf(message));
    if (isLasting(error)) return void unprocessable.push({ message, cause: asError(error) });
    const attempts = failing.count(receivedIdOf(message));
    const failure = `${message.streamId} ${kindOf(error)}`;
    if (attempts < mostReceiveAttempts && !givenUp.has(failure)) return void heldBack.set(message.streamId, error);
    givenUp.add(failure);
    unprocessable.push({ message, cause: asError(error), attempts });
  }

  return async (batch) => {
    const unprocessable: UnprocessableMessage[] = [];
    const heldBack = new Map<Uuid, unknown>();
    const wanted = new Map<Uuid, Arrival>();
    stored = new Set(batch.map(receivedIdOf).filter((id) => stored.has(id)));
    for (const message of batch) {
      const id = receivedIdOf(message);
      if (wanted.has(id) || stored.has(id)) continue;
      // Before admission, which writes the metadata to verify a signature.
      const malformed = metadataErrorOf(message);
      if (malformed !== null) {
        unprocessable.push({ message, cause: malformed });
        continue;
      }
      const verdict = admission.event(message);
      if (verdict === null) continue;
      if (verdict instanceof MessageRejectedError) {
        unprocessable.push({ message, cause: verdict });
        continue;
      }
      const flaw = flawOf(message);
      if (flaw !== null) {
        unprocessable.push({ message, cause: flaw });
        continue;
      }
      let prepared = message;
      try {
        if (prepare !== null) prepared = await prepare(message);
      } catch (error) {
        if (!isContentFlaw(error)) throw error;
        unprocessable.push({ message, cause: asError(error) });
        continue;
      }
      const event = toEvent(prepared, verdict);
      const misplaced = await place(tenantOfEvent(event));
      if (misplaced !== null) {
        unprocessable.push({ message, cause: misplaced });
        continue;
      }
      observeId(message.id);
      wanted.set(id, { message, event });
    }
    await store([...wanted.values()], { unprocessable, heldBack, givenUp: new Set() });
    // The whole batch is delivered again, including the unprocessable messages, which are not returned yet.
    if (heldBack.size > 0) throw heldBack.values().next().value;
    failing.forget(wanted.keys());
    stored.clear();
    return unprocessable;
  };
}

/** Whether a retry would fail as well: another event has this id, or the stream belongs to another tenant. */
export function isLasting(error: unknown): boolean {
  return error instanceof DuplicateEventError || error instanceof ForeignStreamError;
}

/** An admitted message, and the event that it becomes. */
interface Arrival {
  readonly message: ReceivedMessage;
  readonly event: PendingRecord;
}

/** The result of a batch so far. */
interface Result {
  readonly unprocessable: UnprocessableMessage[];
  /** Streams with a message to retry, and its error. */
  readonly heldBack: Map<Uuid, unknown>;
  /** Streams with a message that failed in every attempt, each with the kind of its failure. */
  readonly givenUp: Set<string>;
}

/** What failures of the same kind have in common. Not their message, which often contains ids. */
function kindOf(error: unknown): string {
  // SQLite distinguishes its errors by `errcode`.
  const { name, code, errcode } = asError(error) as { name: string; code?: unknown; errcode?: unknown };
  return [name, code, errcode].join(' ');
}

/** What was thrown, as an error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}

import { createHash } from 'node:crypto';
import type { Uuid } from '../json/index.js';
import { cloudEventIdKey, firstIdOf, hashedId } from '../messages/index.js';
import type { TransportMessage } from './transport.js';

/** Part of every hash, so that no other id of svc can be equal. */
const namespace = 'svc-cloud-event-1';
/** Below every UUIDv7: storages compare new ids with the greatest received one. */
const start = '00000000-0000-8';

/**
 * The id (version 8) for an id or a subject of another program that is not a UUID. The same text of the same source always has the same id, and
 * no text of another source has it.
 */
export function mappedId(attribute: 'id' | 'subject', source: string, text: string): Uuid {
  const hash = createHash('sha256').update(JSON.stringify([namespace, attribute, source, text]));
  const id = hashedId(hash);
  return attribute === 'subject' ? id : (`${start}${id.slice(start.length)}` as Uuid);
}

/** Whether an id has the form of a mapped one. A sender must not choose such an id: it could replace a message of another source. */
export function isMapped(id: Uuid): boolean {
  return id.startsWith(start);
}

/** The id of an event with a mapped id: a UUIDv7, because models apply received events in the order of their ids. */
export function timedId(mapped: Uuid, time: number): Uuid {
  const first = firstIdOf(Math.max(0, time));
  return `${first.slice(0, start.length)}${mapped.slice(start.length)}` as Uuid;
}

/** The id under which a message is recorded as received: it depends on the source and the id of a CloudEvent only, not on its time. */
export function receivedIdOf({ id, origin, metadata }: Pick<TransportMessage, 'id' | 'origin' | 'metadata'>): Uuid {
  const original = metadata[cloudEventIdKey];
  return typeof original === 'string' ? mappedId('id', origin, original) : id;
}

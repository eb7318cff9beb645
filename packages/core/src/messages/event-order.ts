import type { Uuid } from '../json/index.js';
import type { MessageEnvelope } from './envelope.js';

/**
 * Metadata key of an event that arrived from another database after events with greater ids: the greatest id of its stream at that time.
 * An append reads only the last event of a stream, and finds the greatest id there.
 */
export const latestIdKey = 'svcLatest';

/** Metadata key of an event from another database: the host that it is proven to come from; null if none is proven. */
export const originKey = 'origin';

/** Metadata key of an event from another database whose host is not proven: the name that the message claims. */
export const claimedOriginKey = 'claimedOrigin';

/** Metadata key of an event from another program whose id is not a UUID: the id of its CloudEvent. */
export const cloudEventIdKey = 'cloudEventId';

/** Metadata key of an event from another program whose subject is not a UUID: the subject of its CloudEvent. */
export const cloudEventSubjectKey = 'cloudEventSubject';

/** Metadata key of a message that an operator edited: the id of the dead-lettered message that it replaces. */
export const replacesKey = 'svcReplaces';

/** The parts of an event that determine its order in its stream. */
export type OrderedEvent = Pick<MessageEnvelope, 'id' | 'metadata'>;

/** Whether an event comes from another database. Such events have the ids of their sender, and can arrive late. */
export function isReceived({ metadata }: Pick<OrderedEvent, 'metadata'>): boolean {
  return Object.hasOwn(metadata, originKey);
}

/** The greatest event id of a stream, read from its last event. */
export function latestIdIn({ id, metadata }: OrderedEvent): Uuid {
  const latest = metadata[latestIdKey];
  return typeof latest === 'string' && latest > id ? (latest as Uuid) : id;
}

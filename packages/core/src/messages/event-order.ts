import type { Uuid } from '../json/index.js';
import type { MessageEnvelope } from './envelope.js';

/**
 * In the metadata of an event from another database that came later than events with greater ids: the greatest id of its stream at that time.
 * The next append reads it there, because it looks at the last event only.
 */
export const latestIdKey = 'svcLatest';

/** In the metadata of an event from another database: the host that it is proven to come from; null where none is. */
export const originKey = 'origin';

/** In the metadata of an event from another database whose host is not proven: the name that the message claims. */
export const claimedOriginKey = 'claimedOrigin';

/** What says where an event belongs in its stream. */
export type OrderedEvent = Pick<MessageEnvelope, 'id' | 'metadata'>;

/** Whether an event comes from another database. Such events keep their ids, and can come late. */
export function isReceived({ metadata }: Pick<OrderedEvent, 'metadata'>): boolean {
  return Object.hasOwn(metadata, originKey);
}

/** The greatest id of a stream whose last event this is. */
export function latestIdIn({ id, metadata }: OrderedEvent): Uuid {
  const latest = metadata[latestIdKey];
  return typeof latest === 'string' && latest > id ? (latest as Uuid) : id;
}

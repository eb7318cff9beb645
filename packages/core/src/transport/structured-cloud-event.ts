import type { EventRecord } from '../storage/index.js';
import { attributesOf, unprefixed } from './cloud-event.js';
import { namespaceOf } from './topics.js';

/** What a receiver outside of the service sees of an event: not its scope and metadata, which name users, tenants and traces. */
export type OpenEvent = Omit<EventRecord, 'scope' | 'metadata'>;

/**
 * An event as the JSON text of a CloudEvent in structured mode. Its source is the namespace of its type: a host is not known outside of the
 * service.
 */
export function structuredCloudEvent(event: OpenEvent): string {
  const source = namespaceOf(event.type);
  const attributes = attributesOf({ ...event, scope: null, metadata: {}, destination: source, origin: source });
  const named = Object.entries(attributes).map(([name, value]) => [unprefixed(name), value]);
  const text = JSON.stringify({ ...Object.fromEntries(named), datacontenttype: 'application/json' });
  // The body is JSON already.
  return `${text.slice(0, -1)},"data":${event.body}}`;
}

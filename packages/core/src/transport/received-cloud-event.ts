/** Reads messages that arrive as CloudEvents 1.0, in binary or structured mode, from svc and from other programs. */
import { isObject, isPoisonKey, uuid, type Uuid } from '../json/index.js';
import {
  cloudEventIdKey,
  cloudEventSubjectKey,
  hostOfInbox,
  scopeOfText,
  timeOfId,
  type EnvelopeScope,
} from '../messages/index.js';
import { isPlainText } from '../storage/index.js';
import { ArrivedAttributes } from './arrived-attributes.js';
import { traceContext } from './cloud-event.js';
import { malformedCloudEvent as malformed } from './malformed-cloud-event.js';
import { metadataErrorOf } from './metadata-flaw.js';
import { isMapped, mappedId, timedId } from './mapped-id.js';
import { isStructured, mediaTypeOf, readStructured } from './structured-mode.js';
import type { MessageSignature, ReceivedMessage, TransportMessage } from './transport.js';

/** A CloudEvent as a broker delivers it, with what the transport knows about it. */
export interface ArrivedCloudEvent {
  readonly contentType: unknown;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** The topic or inbox that it arrived on. */
  readonly destination: string;
  /** The type that the broker routed it by; null: it routes by the destination alone. */
  readonly routedType: string | null;
  /** The hosts that its sender is proven to represent; null: the broker proves no sender. */
  readonly provenHosts: readonly string[] | null;
}

/** The maximum length of ids, types, sources and other names. */
const longestName = 500;
/** Years in CloudEvents have four digits; databases do not support all others. */
const firstTime = Date.parse('0000-01-01T00:00:00Z');
const lastTime = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Converts a CloudEvent to a message. Ids and subjects that are not UUIDs are mapped to UUIDs; the metadata has the originals. Throws
 * `SVC_MALFORMED_CLOUD_EVENT` if it is invalid; a retry would not help.
 */
export function fromCloudEvent(arrived: ArrivedCloudEvent): ReceivedMessage {
  const { contentType, destination, routedType, provenHosts } = arrived;
  const structured = isStructured(contentType) ? readStructured(arrived.body) : null;
  if (structured === null && contentType !== undefined) requireJson(contentType);
  const attributes = new ArrivedAttributes(arrived.attributes, structured?.attributes);
  const version = attributes.textOf('specversion');
  if (version !== '1.0') throw malformed('specversion', 'it is not 1.0');
  const origin = nameOf(attributes, 'source');
  const isCommand = hostOfInbox(destination) !== null;
  const identity = identityOf(attributes, origin, isCommand);
  const { id } = identity;
  const subject = nameOf(attributes, 'subject');
  const streamId = uuidOf(subject);
  // Other programs need not send a correlation id: the message is then the first of its chain.
  return {
    id,
    type: nameOf(attributes, 'type'),
    streamId: streamId ?? mappedId('subject', origin, subject),
    body: structured?.body ?? arrived.body,
    timestamp: identity.timestamp,
    correlationId: idOf(attributes, 'correlationid') ?? id,
    causationId: idOf(attributes, 'causationid'),
    scope: scopeOf(attributes),
    metadata: {
      ...metadataOf(attributes),
      ...(identity.original !== null && { [cloudEventIdKey]: identity.original }),
      ...(streamId === null && { [cloudEventSubjectKey]: subject }),
    },
    destination,
    origin,
    provenOrigin: provenHosts === null ? null : provenOf(provenHosts, origin),
    routedType,
    signature: signatureOf(attributes),
  };
}

interface Identity {
  readonly id: Uuid;
  readonly timestamp: number;
  /** The id of the CloudEvent if it was mapped; null: it is the id of the message. */
  readonly original: string | null;
}

function identityOf(attributes: ArrivedAttributes, origin: string, isCommand: boolean): Identity {
  const text = nameOf(attributes, 'id');
  const given = uuidOf(text);
  const isOwn = given !== null && !isMapped(given);
  const id = isOwn ? given : mappedId('id', origin, text);
  const timestamp = timeOf(attributes, id, isCommand);
  // Events have an order, which their ids determine; commands have none.
  return isOwn
    ? { id, timestamp, original: null }
    : { id: isCommand ? id : timedId(id, timestamp), timestamp, original: text };
}

/** The claimed origin if the sender represents it, otherwise one that the sender represents. */
function provenOf(hosts: readonly string[], origin: string): string | null {
  return hosts.includes(origin) ? origin : (hosts[0] ?? null);
}

function signatureOf(attributes: ArrivedAttributes): MessageSignature | null {
  if (attributes.valueOf('signature') === undefined) return null;
  return { keyId: nameOf(attributes, 'signaturekey'), value: nameOf(attributes, 'signature') };
}

function requireJson(contentType: unknown): void {
  if (typeof contentType === 'string' && mediaTypeOf(contentType) === 'application/json') return;
  throw malformed('content type', 'it is neither application/json nor application/cloudevents+json');
}

function metadataOf(attributes: ArrivedAttributes): TransportMessage['metadata'] {
  const metadata = objectOf(attributes, 'metadata', parseObject) ?? {};
  // Only svc may set them.
  delete metadata[cloudEventIdKey];
  delete metadata[cloudEventSubjectKey];
  for (const name of traceContext) {
    const value = attributes.textOf(name);
    if (value !== undefined) metadata[name] = value;
  }
  const error = metadataErrorOf({ metadata });
  if (error !== null) throw error;
  return metadata;
}

function scopeOf(attributes: ArrivedAttributes): EnvelopeScope | null {
  const scope = objectOf(attributes, 'scope', scopeOfText);
  if (scope === null) return null;
  for (const name of Object.keys(scope)) {
    const value: unknown = scope[name];
    if (!isPlainText(name) || !(value === null || (typeof value === 'string' && isPlainText(value))))
      throw malformed('scope');
  }
  return scope;
}

function objectOf<T extends object>(attributes: ArrivedAttributes, name: string, parse: (text: string) => T): T | null {
  const text = attributes.textOf(name);
  if (text === undefined) return null;
  let object: T;
  try {
    object = parse(text);
  } catch (error) {
    throw malformed(name, undefined, error);
  }
  if (!isObject(object) || Object.keys(object).some(isPoisonKey)) throw malformed(name);
  return object;
}

function parseObject(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}

function uuidOf(text: string): Uuid | null {
  try {
    return uuid(text);
  } catch {
    return null;
  }
}

/** The attribute as an id; null: it is absent. Throws if it is not a UUID. */
function idOf(attributes: ArrivedAttributes, name: string): Uuid | null {
  const text = attributes.textOf(name);
  if (text === undefined) return null;
  const id = uuidOf(text);
  if (id === null) throw malformed(name, 'it is not a UUID');
  return id;
}

/** CloudEvents allow no control characters in strings. */
const controlCharacter = /\p{Cc}/u;

function nameOf(attributes: ArrivedAttributes, name: string): string {
  const text = attributes.textOf(name);
  if (text === undefined || text === '') throw malformed(name, 'it is missing');
  if (text.length > longestName) throw malformed(name, `it has more than ${longestName} characters`);
  if (!text.isWellFormed() || controlCharacter.test(text)) throw malformed(name, 'it contains invalid characters');
  return text;
}

/** The time of a message. Without one, the time in its id, or now. A command needs one: svc rejects old commands. */
function timeOf(attributes: ArrivedAttributes, id: Uuid, isCommand: boolean): number {
  const text = attributes.textOf('time');
  if (text === undefined && !isCommand) return timeOfId(id) ?? Date.now();
  const time = Date.parse(text ?? '');
  // Rejects NaN as well.
  if (!(time >= firstTime && time <= lastTime)) throw malformed('time');
  return time;
}

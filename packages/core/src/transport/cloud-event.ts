/** Converts messages to and from CloudEvents 1.0 in binary mode. All brokers that use AMQP share this mapping. */
import { ServiceError } from '../errors/index.js';
import { isObject, isPoisonKey, uuid, type Uuid } from '../json/index.js';
import { scopeOfText, scopeText, type EnvelopeScope } from '../messages/index.js';
import type { MessageSignature, PublishedMessage, ReceivedMessage, TransportMessage } from './transport.js';

/** A message as a CloudEvent: content type, attributes and body. */
export interface CloudEvent {
  /** The content type of the broker's message, which replaces the attribute `datacontenttype`. */
  readonly contentType: string;
  /** All attributes, with the prefix of the AMQP binding. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly body: string;
}

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

const prefix = 'cloudEvents_';
const json = 'application/json';
/** The maximum length of types, sources and other names. */
const longestName = 500;
/** Years in CloudEvents have four digits; databases do not support all others. */
const firstTime = Date.parse('0000-01-01T00:00:00Z');
const lastTime = Date.parse('9999-12-31T23:59:59.999Z');
/** Metadata with their own attributes, where tracing tools look for them. */
const traceContext = ['traceparent', 'tracestate'] as const;

/** Computed once: each is looked up in each message. Objects inherit no name with the prefix. */
const prefixed = {
  specversion: `${prefix}specversion`,
  id: `${prefix}id`,
  source: `${prefix}source`,
  type: `${prefix}type`,
  time: `${prefix}time`,
  subject: `${prefix}subject`,
  correlationid: `${prefix}correlationid`,
  causationid: `${prefix}causationid`,
  scope: `${prefix}scope`,
  metadata: `${prefix}metadata`,
  traceparent: `${prefix}traceparent`,
  tracestate: `${prefix}tracestate`,
  signaturekey: `${prefix}signaturekey`,
  signature: `${prefix}signature`,
} as const;

/** The attributes that a signature covers, in this order: all except the signature itself. */
export const signedAttributes: readonly string[] = Object.values(prefixed).filter(
  (name) => name !== prefixed.signaturekey && name !== prefixed.signature,
);

/** The name of an attribute without the prefix of the AMQP binding. */
export function unprefixed(attribute: string): string {
  return attribute.slice(prefix.length);
}

/** Converts a message to a CloudEvent. */
export function toCloudEvent(message: PublishedMessage): CloudEvent {
  const attributes = attributesOf(message);
  if (message.signature !== undefined) {
    attributes[prefixed.signaturekey] = message.signature.keyId;
    attributes[prefixed.signature] = message.signature.value;
  }
  return { contentType: json, attributes, body: message.body };
}

/** The attributes of a message, without its signature. They are the same for the sender and the receiver. */
export function attributesOf(message: TransportMessage): Record<string, string> {
  const attributes: Record<string, string> = {
    [prefixed.specversion]: '1.0',
    [prefixed.id]: message.id,
    [prefixed.source]: message.origin,
    [prefixed.type]: message.type,
    [prefixed.time]: new Date(message.timestamp).toISOString(),
    [prefixed.subject]: message.streamId,
    [prefixed.correlationid]: message.correlationId,
  };
  if (message.causationId !== null) attributes[prefixed.causationid] = message.causationId;
  if (message.scope !== null) attributes[prefixed.scope] = scopeText(message.scope);
  addMetadata(attributes, message.metadata);
  return attributes;
}

/** Converts a CloudEvent to a message. Throws `SVC_MALFORMED_CLOUD_EVENT` if it is invalid; a retry would not help. */
export function fromCloudEvent(arrived: ArrivedCloudEvent): ReceivedMessage {
  const { contentType, attributes, body, destination, routedType, provenHosts } = arrived;
  if (contentType !== json && contentType !== undefined) requireJson(contentType);
  if (textOf('specversion', attributes[prefixed.specversion]) !== '1.0') throw malformed('specversion');
  const id = idOf('id', attributes[prefixed.id]);
  // Other programs need not send a correlation id: the message is then the first of its chain.
  const correlation = textOf('correlationid', attributes[prefixed.correlationid]) ?? id;
  const causation = textOf('causationid', attributes[prefixed.causationid]);
  const origin = nameOf('source', attributes[prefixed.source]);
  return {
    id,
    type: nameOf('type', attributes[prefixed.type]),
    streamId: idOf('subject', attributes[prefixed.subject]),
    body,
    timestamp: timeOf(attributes[prefixed.time]),
    correlationId: correlation === id ? id : idOf('correlationid', correlation),
    causationId: causation === undefined ? null : idOf('causationid', causation),
    scope: scopeOf(attributes[prefixed.scope]),
    metadata: metadataOf(attributes),
    destination,
    origin,
    provenOrigin: provenHosts === null ? null : provenOf(provenHosts, origin),
    routedType,
    signature: signatureOf(attributes),
  };
}

/** The claimed origin if the sender represents it, otherwise one that the sender represents. */
function provenOf(hosts: readonly string[], origin: string): string | null {
  return hosts.includes(origin) ? origin : (hosts[0] ?? null);
}

function signatureOf(attributes: Readonly<Record<string, unknown>>): MessageSignature | null {
  const value = attributes[prefixed.signature];
  if (value === undefined) return null;
  return { keyId: nameOf('signaturekey', attributes[prefixed.signaturekey]), value: nameOf('signature', value) };
}

function requireJson(contentType: unknown): void {
  if (typeof contentType === 'string' && contentType.split(';', 1)[0]!.trim().toLowerCase() === json) return;
  throw malformed('content type');
}

function textOf(name: string, value: unknown): string | undefined {
  if (value !== undefined && typeof value !== 'string') throw malformed(name);
  return value;
}

function addMetadata(attributes: Record<string, string>, metadata: TransportMessage['metadata']): void {
  const rest: Record<string, unknown> = { ...metadata };
  for (const name of traceContext) {
    const value = rest[name];
    if (typeof value !== 'string') continue;
    attributes[prefixed[name]] = value;
    delete rest[name];
  }
  const text = JSON.stringify(rest);
  // Values that are undefined are not written either: the receiver verifies the signature without them.
  if (text !== '{}') attributes[prefixed.metadata] = text;
}

function metadataOf(attributes: Readonly<Record<string, unknown>>): TransportMessage['metadata'] {
  const metadata = objectOf('metadata', attributes[prefixed.metadata], parseObject) ?? {};
  for (const name of traceContext) {
    const value = textOf(name, attributes[prefixed[name]]);
    if (value !== undefined) metadata[name] = value;
  }
  return metadata;
}

function scopeOf(value: unknown): EnvelopeScope | null {
  const scope = objectOf('scope', value, scopeOfText);
  if (scope === null) return null;
  for (const name of Object.keys(scope)) {
    if (!isName(name) || !isName(scope[name])) throw malformed('scope');
  }
  return scope;
}

/** Databases cannot store U+0000 or lone surrogates. */
function isName(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.isWellFormed() && !value.includes('\0'));
}

function objectOf<T extends object>(name: string, value: unknown, parse: (text: string) => T): T | null {
  const text = textOf(name, value);
  if (text === undefined) return null;
  let object: T;
  try {
    object = parse(text);
  } catch (error) {
    throw malformed(name, error);
  }
  if (!isObject(object) || Object.keys(object).some(isPoisonKey)) throw malformed(name);
  return object;
}

function parseObject(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}

function idOf(name: string, value: unknown): Uuid {
  const text = textOf(name, value) ?? '';
  try {
    return uuid(text);
  } catch (error) {
    throw malformed(name, error);
  }
}

function nameOf(name: string, value: unknown): string {
  const text = textOf(name, value);
  if (text === undefined || text === '' || text.length > longestName) throw malformed(name);
  return text;
}

function timeOf(value: unknown): number {
  const time = Date.parse(textOf('time', value) ?? '');
  // Rejects NaN as well.
  if (!(time >= firstTime && time <= lastTime)) throw malformed('time');
  return time;
}

function malformed(what: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'SVC_MALFORMED_CLOUD_EVENT',
    `Cannot read a message: it is not a CloudEvent of svc, because its ${what} is missing or invalid. Fix its sender.`,
    { cause },
  );
}

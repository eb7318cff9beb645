/**
 * A message as a CloudEvent 1.0 in binary mode: its attributes as properties of the broker's message, its body as the body. The one
 * mapping of every broker that speaks AMQP.
 */
import { ServiceError } from '../errors/index.js';
import { isObject, isPoisonKey, uuid, type Uuid } from '../json/index.js';
import type { EnvelopeScope } from '../messages/index.js';
import type { TransportMessage } from './transport.js';

export interface CloudEvent {
  /** Of the broker's message; `datacontenttype` has no attribute beside it. */
  readonly contentType: string;
  /** All attributes, with the prefix of the AMQP binding. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly body: string;
}

const prefix = 'cloudEvents_';
const json = 'application/json';
/** Types and sources are names, and names are short. */
const longestName = 500;
/** Years of times in CloudEvents have four digits; there are some beyond them that databases do not know. */
const firstTime = Date.parse('0000-01-01T00:00:00Z');
const lastTime = Date.parse('9999-12-31T23:59:59.999Z');
/** They have attributes of their own, where anything that traces looks for them. */
const traceContext = ['traceparent', 'tracestate'] as const;

/** Put together once: each is looked up in each message. */
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
} as const;
type AttributeName = keyof typeof prefixed;

export function toCloudEvent(message: TransportMessage): CloudEvent {
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
  if (message.scope !== null) attributes[prefixed.scope] = JSON.stringify(message.scope);
  addMetadata(attributes, message.metadata);
  return { contentType: json, attributes, body: message.body };
}

/** The message that came on a topic. Throws `SVC_MALFORMED_CLOUD_EVENT` when it is none: it never will be. */
export function fromCloudEvent(
  contentType: unknown,
  attributes: Readonly<Record<string, unknown>>,
  body: string,
  destination: string,
): TransportMessage {
  if (contentType !== json && contentType !== undefined) requireJson(contentType);
  if (textOf(attributes, 'specversion') !== '1.0') throw malformed('specversion');
  const id = idOf('id', textOf(attributes, 'id'));
  // Whoever publishes without svc need not know of correlation: the message is then the first of its chain.
  const correlation = textOf(attributes, 'correlationid') ?? id;
  const causation = textOf(attributes, 'causationid');
  return {
    id,
    type: nameOf('type', textOf(attributes, 'type')),
    streamId: idOf('subject', textOf(attributes, 'subject')),
    body,
    timestamp: timeOf(textOf(attributes, 'time')),
    correlationId: correlation === id ? id : idOf('correlationid', correlation),
    causationId: causation === undefined ? null : idOf('causationid', causation),
    scope: scopeOf(textOf(attributes, 'scope')),
    metadata: metadataOf(attributes),
    destination,
    origin: nameOf('source', textOf(attributes, 'source')),
  };
}

function requireJson(contentType: unknown): void {
  if (typeof contentType === 'string' && contentType.split(';', 1)[0]!.trim().toLowerCase() === json) return;
  throw malformed('content type');
}

/** An attribute of the message's own. No name with the prefix is inherited by an object. */
function textOf(attributes: Readonly<Record<string, unknown>>, name: AttributeName): string | undefined {
  const value = attributes[prefixed[name]];
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
  if (Object.keys(rest).length > 0) attributes[prefixed.metadata] = JSON.stringify(rest);
}

function metadataOf(attributes: Readonly<Record<string, unknown>>): TransportMessage['metadata'] {
  const metadata = objectOf('metadata', textOf(attributes, 'metadata')) ?? {};
  for (const name of traceContext) {
    const value = textOf(attributes, name);
    if (value !== undefined) metadata[name] = value;
  }
  return metadata;
}

function scopeOf(text: string | undefined): EnvelopeScope | null {
  const scope = objectOf('scope', text);
  if (scope === null) return null;
  if (!Object.entries(scope).flat().every(isName)) throw malformed('scope');
  return scope as EnvelopeScope;
}

/** Nobody is called by U+0000 or half a character, and columns of databases cannot hold either. */
function isName(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.isWellFormed() && !value.includes('\0'));
}

function objectOf(name: string, text: string | undefined): Record<string, unknown> | null {
  if (text === undefined) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed(name, error);
  }
  if (!isObject(value) || Object.keys(value).some(isPoisonKey)) throw malformed(name);
  return value;
}

function idOf(name: string, text: string | undefined): Uuid {
  try {
    return uuid(text ?? '');
  } catch (error) {
    throw malformed(name, error);
  }
}

function nameOf(name: string, text: string | undefined): string {
  if (text === undefined || text === '' || text.length > longestName) throw malformed(name);
  return text;
}

function timeOf(text: string | undefined): number {
  const time = Date.parse(text ?? '');
  // Also what is no number.
  if (!(time >= firstTime && time <= lastTime)) throw malformed('time');
  return time;
}

function malformed(what: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'SVC_MALFORMED_CLOUD_EVENT',
    `A message is not a CloudEvent of svc: its ${what} is missing or not what it has to be.`,
    { cause },
  );
}

/** Converts messages to CloudEvents 1.0 in binary mode. All brokers that use AMQP share this mapping. */
import { scopeText } from '../messages/index.js';
import type { PublishedMessage, TransportMessage } from './transport.js';

/** A message as a CloudEvent: content type, attributes and body. */
export interface CloudEvent {
  /** The content type of the broker's message, which replaces the attribute `datacontenttype`. */
  readonly contentType: string;
  /** All attributes, with the prefix of the AMQP binding. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The prefix of the AMQP binding that svc writes: the Service Bus does not allow a colon in names. */
export const attributePrefix = 'cloudEvents_';
const json = 'application/json';
/** Metadata with their own attributes, where tracing tools look for them. */
export const traceContext = ['traceparent', 'tracestate'] as const;

/** Computed once: each is written to each message. */
const prefixed = {
  specversion: `${attributePrefix}specversion`,
  id: `${attributePrefix}id`,
  source: `${attributePrefix}source`,
  type: `${attributePrefix}type`,
  time: `${attributePrefix}time`,
  subject: `${attributePrefix}subject`,
  correlationid: `${attributePrefix}correlationid`,
  causationid: `${attributePrefix}causationid`,
  scope: `${attributePrefix}scope`,
  metadata: `${attributePrefix}metadata`,
  traceparent: `${attributePrefix}traceparent`,
  tracestate: `${attributePrefix}tracestate`,
  signaturekey: `${attributePrefix}signaturekey`,
  signature: `${attributePrefix}signature`,
} as const;

/** The attributes that a signature covers, in this order: all except the signature itself. */
export const signedAttributes: readonly string[] = Object.values(prefixed).filter(
  (name) => name !== prefixed.signaturekey && name !== prefixed.signature,
);

/** The name of an attribute without the prefix of the AMQP binding. */
export function unprefixed(attribute: string): string {
  return attribute.slice(attributePrefix.length);
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

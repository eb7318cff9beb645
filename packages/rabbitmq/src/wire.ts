import { isUtf8 } from 'node:buffer';
import { fromCloudEvent, hostOfInbox, ServiceError, toCloudEvent, type TransportMessage } from '@svc/core';
import type { ConsumeMessage } from 'amqplib';
import type { Outbound } from './publisher.js';
import type { Names } from './topology.js';

const longestCause = 2_000;

export function toOutbound(message: TransportMessage, names: Names): Outbound {
  const { contentType, attributes, body } = toCloudEvent(message);
  const content = Buffer.from(body);
  const options = { persistent: true, messageId: message.id, contentType, headers: attributes };
  const host = hostOfInbox(message.destination);
  if (host === null) {
    const exchange = names.exchangeOf(message.destination);
    return { exchange, exchangeType: 'topic', routingKey: message.type, content, options };
  }
  // An event that nobody wants is nothing special. A command that reaches nobody is lost, and the broker has to say so.
  const mandatory = { ...options, mandatory: true };
  return { exchange: names.inboxExchange, exchangeType: 'direct', routingKey: host, content, options: mandatory };
}

/** The message that came for a topic or an inbox. Throws when it is not one of svc's. */
export function fromDelivery({ properties, content }: ConsumeMessage, destination: string): TransportMessage {
  if (!isUtf8(content)) throw new ServiceError('SVC_MALFORMED_CLOUD_EVENT', 'The body of a message is not UTF-8.');
  const attributes = (properties.headers ?? {}) as Record<string, unknown>;
  return fromCloudEvent(properties.contentType, attributes, content.toString(), destination);
}

/** A delivery as it came, with why it is put aside. */
export function toDeadLetter(delivery: ConsumeMessage, cause: Error, queue: string, names: Names): Outbound {
  const { headers, contentType, messageId } = delivery.properties;
  const code = cause instanceof ServiceError ? cause.code : cause.name;
  return {
    exchange: names.deadLetterExchange,
    exchangeType: 'direct',
    routingKey: queue,
    content: delivery.content,
    options: {
      persistent: true,
      ...(typeof messageId === 'string' && { messageId }),
      ...(typeof contentType === 'string' && { contentType }),
      headers: {
        ...headers,
        'svc-dead-letter-cause': cause.message.slice(0, longestCause),
        'svc-dead-letter-code': code,
        'svc-dead-letter-time': new Date().toISOString(),
      },
    },
  };
}

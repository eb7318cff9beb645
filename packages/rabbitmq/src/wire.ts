import { isUtf8 } from 'node:buffer';
import { fromCloudEvent, ServiceError, toCloudEvent, type TransportMessage } from '@svc/core';
import type { ConsumeMessage } from 'amqplib';
import type { Outbound } from './publisher.js';
import type { Names } from './topology.js';

const longestCause = 2_000;

export function toOutbound(message: TransportMessage, names: Names): Outbound {
  const { contentType, attributes, body } = toCloudEvent(message);
  return {
    exchange: names.exchangeOf(message.destination),
    routingKey: message.type,
    content: Buffer.from(body),
    options: { persistent: true, messageId: message.id, contentType, headers: attributes },
  };
}

export function fromDelivery({ fields, properties, content }: ConsumeMessage, names: Names): TransportMessage {
  if (!isUtf8(content)) throw new ServiceError('SVC_MALFORMED_CLOUD_EVENT', 'The body of a message is not UTF-8.');
  const attributes = (properties.headers ?? {}) as Record<string, unknown>;
  return fromCloudEvent(properties.contentType, attributes, content.toString(), names.topicOf(fields.exchange));
}

/** A delivery as it came, with why it is put aside. */
export function toDeadLetter(delivery: ConsumeMessage, cause: Error, queue: string, names: Names): Outbound {
  const { headers, contentType, messageId } = delivery.properties;
  const code = cause instanceof ServiceError ? cause.code : cause.name;
  return {
    exchange: names.deadLetterExchange,
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

import { isUtf8 } from 'node:buffer';
import { ServiceError } from '@svc/core';
import {
  recordedText,
  fromCloudEvent,
  hostOfInbox,
  toCloudEvent,
  type PublishedMessage,
  type ReceivedMessage,
} from '@svc/core/transport';
import type { ConsumeMessage } from 'amqplib';
import type { DeliveryRoute } from './delivery-route.js';
import type { BrokerUsers } from './broker-users.js';
import type { Outbound } from './outbound.js';
import type { Names } from './topology.js';

const maxCauseLength = 2_000;

export function toOutbound(message: PublishedMessage, names: Names, userId: string | null): Outbound {
  const { contentType, attributes, body } = toCloudEvent(message);
  const content = Buffer.from(body);
  const named = { persistent: true, messageId: message.id, contentType, headers: attributes };
  // The broker accepts only the user of the connection. Receivers identify the sending host by it.
  const options = userId === null ? named : { ...named, userId };
  const host = hostOfInbox(message.destination);
  if (host === null) {
    const exchange = names.exchangeOf(message.destination);
    return { exchange, exchangeType: 'topic', routingKey: message.type, content, options };
  }
  // An event without receivers is normal. A command that reaches no inbox is lost, so the broker must return it.
  const mandatory = { ...options, mandatory: true };
  return { exchange: names.inboxExchange, exchangeType: 'direct', routingKey: host, content, options: mandatory };
}

/** The delivered message. Throws if it was not sent by svc. */
export function fromDelivery(
  { properties, content }: ConsumeMessage,
  { destination, routedType }: DeliveryRoute,
  users: BrokerUsers,
): ReceivedMessage {
  return fromCloudEvent({
    contentType: properties.contentType,
    attributes: properties.headers ?? {},
    body: textOf(content),
    destination,
    routedType,
    provenHosts: users.hostsOf(properties.userId),
  });
}

function textOf(content: Buffer): string {
  if (isUtf8(content)) return content.toString();
  throw new ServiceError('SVC_MALFORMED_CLOUD_EVENT', 'The body of a message is not valid UTF-8.');
}

/** The unchanged delivery, with the cause of its dead letter. */
export function toDeadLetter(delivery: ConsumeMessage, cause: Error, queue: string, names: Names): Outbound {
  const { headers, contentType, messageId, userId } = delivery.properties;
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
        'svc-dead-letter-cause': recordedText(cause.message, maxCauseLength),
        'svc-dead-letter-code': code,
        'svc-dead-letter-time': new Date().toISOString(),
        // As a header: this host cannot publish as the user of another host.
        ...(typeof userId === 'string' && { 'svc-dead-letter-user': userId }),
      },
    },
  };
}

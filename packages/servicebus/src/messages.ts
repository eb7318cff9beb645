import { isUtf8 } from 'node:buffer';
import type { ServiceBusMessage, ServiceBusReceivedMessage } from '@azure/service-bus';
import { ServiceError } from '@svc/core';
import { fromCloudEvent, toCloudEvent, type PublishedMessage, type ReceivedMessage } from '@svc/core/transport';

/** A CloudEvent as a message of the Service Bus. Its session is its stream: messages of one session arrive in order. */
export function toServiceBus(message: PublishedMessage): ServiceBusMessage {
  const { contentType, attributes, body } = toCloudEvent(message);
  return {
    // Where the topic detects duplicates, it knows them by this.
    messageId: message.id,
    sessionId: message.streamId,
    correlationId: message.correlationId,
    // Rules of subscriptions see it as sys.Label.
    subject: message.destination,
    contentType,
    applicationProperties: { ...attributes },
    // As it is: a text would be written as JSON once more.
    body: Buffer.from(body),
  };
}

/**
 * The message that came to a destination. Throws when it is not one of svc's. The Service Bus has no property of the sender that it
 * validates, so it proves no origin: hosts sign their messages.
 */
export function fromServiceBus(received: ServiceBusReceivedMessage, destination: string): ReceivedMessage {
  const { contentType, applicationProperties = {} } = received;
  const body: unknown = received.body;
  // Bytes that are no text would be stored as something else.
  if (!Buffer.isBuffer(body) || !isUtf8(body)) {
    throw new ServiceError('SVC_MALFORMED_CLOUD_EVENT', 'The body of a message is not UTF-8.');
  }
  return fromCloudEvent({
    contentType,
    attributes: applicationProperties,
    body: body.toString(),
    destination,
    routedType: null,
    provenHosts: null,
  });
}

import { isUtf8 } from 'node:buffer';
import type { ServiceBusMessage, ServiceBusReceivedMessage } from '@azure/service-bus';
import { ServiceError } from '@svc/core';
import { fromCloudEvent, toCloudEvent, type PublishedMessage, type ReceivedMessage } from '@svc/core/transport';

/** A CloudEvent as a Service Bus message. Its session is its stream: messages of one session arrive in order. */
export function toServiceBus(message: PublishedMessage): ServiceBusMessage {
  const { contentType, attributes, body } = toCloudEvent(message);
  return {
    // A topic with duplicate detection identifies duplicates by this id.
    messageId: message.id,
    sessionId: message.streamId,
    correlationId: message.correlationId,
    // Rules of subscriptions see it as sys.Label.
    subject: message.destination,
    contentType,
    applicationProperties: { ...attributes },
    // Unchanged bytes: a string would be encoded as JSON again.
    body: Buffer.from(body),
  };
}

/**
 * The received message. Throws if it was not sent by svc. The Service Bus validates no property of the sender, so it proves no origin:
 * hosts sign their messages.
 */
export function fromServiceBus(received: ServiceBusReceivedMessage, destination: string): ReceivedMessage {
  const { contentType, applicationProperties = {} } = received;
  const body: unknown = received.body;
  // Invalid UTF-8 would be stored with replacement characters.
  if (!Buffer.isBuffer(body) || !isUtf8(body)) {
    throw new ServiceError('SVC_MALFORMED_CLOUD_EVENT', 'The body of a message is not valid UTF-8.');
  }
  return fromCloudEvent({
    contentType,
    attributes: withTextTimes(applicationProperties),
    body: body.toString(),
    destination,
    routedType: null,
    provenHosts: null,
  });
}

/** AMQP has its own type for times, which the client returns as milliseconds. */
function withTextTimes(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const times = ['cloudEvents:time', 'cloudEvents_time'].flatMap((name) => {
    const time = properties[name];
    const date = typeof time === 'number' ? new Date(time) : null;
    return date === null || Number.isNaN(date.getTime()) ? [] : [[name, date.toISOString()] as const];
  });
  return times.length === 0 ? properties : { ...properties, ...Object.fromEntries(times) };
}

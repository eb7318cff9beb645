import { ServiceBusClient } from '@azure/service-bus';
import { hostOfInbox, toCloudEvent, type PublishedMessage } from '@svc/core/transport';
import type { IntrusionRoute } from '@svc/core/testing';

/** What events and commands are sent to. */
export interface Entities {
  readonly topic: string;
  readonly inboxOf: (hostName: string) => string;
}

/** Sends a message past svc, to the topic or to the inbox of a host, whatever the message says of itself. */
export async function intrude(
  connectionString: string,
  { topic, inboxOf }: Entities,
  message: PublishedMessage,
  { destination }: Pick<IntrusionRoute, 'destination'> = message,
): Promise<void> {
  const host = hostOfInbox(destination);
  const { attributes, contentType, body } = toCloudEvent(message);
  const client = new ServiceBusClient(connectionString);
  await client.createSender(host === null ? topic : inboxOf(host)).sendMessages({
    messageId: message.id,
    sessionId: message.streamId,
    subject: destination,
    contentType,
    applicationProperties: { ...attributes },
    body: Buffer.from(body),
  });
  await client.close();
}

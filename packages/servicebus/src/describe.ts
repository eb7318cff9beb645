import type { TransportDescription } from '@svc/core/transport';
import type { Settings } from './options.js';

/** AsyncAPI has no binding for the Service Bus, and that of AMQP 1.0 has no properties: it names the protocol. */
const channelBindings = { amqp1: {} };

/** The topics and queues of a host, in the words of AsyncAPI. */
export function describe({ topicOf, inboxOf }: Pick<Settings, 'topicOf' | 'inboxOf'>): TransportDescription {
  return {
    topic: ({ topic }) => ({ address: topicOf(topic), channelBindings }),
    inbox: (hostName) => ({ address: inboxOf(hostName), channelBindings }),
  };
}

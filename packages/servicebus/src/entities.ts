import type { ServiceBusClient, ServiceBusSessionReceiver, ServiceBusSessionReceiverOptions } from '@azure/service-bus';

/** Something in the namespace, as an error names it, and how it is made: the transport makes none. */
export interface Entity {
  readonly name: string;
  readonly create: string;
  readonly needsSessions: boolean;
}

export function topicEntity(topic: string): Entity {
  return { name: `topic ${topic}`, create: `Create the topic ${topic}`, needsSessions: false };
}

/** What messages are received from, session by session. */
export interface SessionSource extends Entity {
  accept(client: ServiceBusClient, sessionId: string): Promise<ServiceBusSessionReceiver>;
  acceptNext(client: ServiceBusClient, options?: ServiceBusSessionReceiverOptions): Promise<ServiceBusSessionReceiver>;
}

export function subscriptionSource(topic: string, subscription: string): SessionSource {
  const name = `subscription ${subscription} of topic ${topic}`;
  return {
    ...withSessions(name),
    accept: (client, sessionId) => client.acceptSession(topic, subscription, sessionId),
    acceptNext: (client, options) => client.acceptNextSession(topic, subscription, options),
  };
}

export function queueSource(queue: string): SessionSource {
  return {
    ...withSessions(`queue ${queue}`),
    accept: (client, sessionId) => client.acceptSession(queue, sessionId),
    acceptNext: (client, options) => client.acceptNextSession(queue, options),
  };
}

function withSessions(name: string): Entity {
  return { name, create: `Create the ${name}, with sessions (requires-session)`, needsSessions: true };
}

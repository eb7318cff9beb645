import type { ServiceBusClient, ServiceBusSessionReceiver, ServiceBusSessionReceiverOptions } from '@azure/service-bus';

/** An entity of the namespace, for error messages: its name and how to create it. The transport creates none. */
export interface Entity {
  readonly name: string;
  readonly create: string;
  readonly needsSessions: boolean;
}

export function topicEntity(topic: string): Entity {
  return { name: `topic ${topic}`, create: `Create the topic ${topic}`, needsSessions: false };
}

/** An entity from which messages are received in sessions. */
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

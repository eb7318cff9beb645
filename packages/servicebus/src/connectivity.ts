import type { ConnectivityResult, TransportConnectivity } from '@svc/core/transport';
import type { Connection } from './connection.js';
import { topicEntity } from './entities.js';
import { isBusy, mendOf } from './failures.js';
import { late, limited } from './limited.js';

const limitMs = 1_500;

/**
 * The check `cloud_servicebus`: opens a link to a topic on the connection that is there, and gives it back. The Service Bus has to
 * look at the token and at the topic for it. When the connection was lost, the check says so and leaves it to others to come back.
 */
export function connectivity(connection: Connection, topic: () => string | undefined): TransportConnectivity {
  return {
    name: 'cloud_servicebus',
    check: async () => {
      if (connection.isClosed) return unhealthy('The transport is closed.');
      if (connection.answers === false) return unhealthy('The Service Bus cannot be reached.');
      const known = topic();
      if (known === undefined) return degraded('Nothing was sent or received yet.');
      return ask(connection, known);
    },
  };
}

async function ask(connection: Connection, topic: string): Promise<ConnectivityResult> {
  const sender = connection.client.createSender(topic);
  try {
    const answer = await limited(sender.createMessageBatch(), limitMs);
    return answer === late ? unhealthy(`The Service Bus did not answer within ${limitMs} ms.`) : { status: 'Healthy' };
  } catch (error) {
    if (isBusy(error)) return degraded('The Service Bus is asked too much, and turns some of it away.');
    return unhealthy(
      mendOf(error, topicEntity(topic)) === null
        ? 'The Service Bus cannot be reached.'
        : 'The Service Bus does not let this host in, or has no topic for it.',
    );
  } finally {
    void limited(sender.close(), limitMs).catch(() => {});
  }
}

function unhealthy(description: string): ConnectivityResult {
  return { status: 'Unhealthy', description };
}

function degraded(description: string): ConnectivityResult {
  return { status: 'Degraded', description };
}

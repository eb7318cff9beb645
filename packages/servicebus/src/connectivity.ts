import type { ConnectivityResult, TransportConnectivity } from '@svc/core/transport';
import type { Connection } from './connection.js';
import { topicEntity } from './entities.js';
import { isBusy, configurationError } from './failures.js';
import { late, limited } from './limited.js';

const limitMs = 1_500;

/**
 * The check `cloud_servicebus`: opens and closes a link to a topic on the existing connection, for which the Service Bus validates the
 * token and the topic. After a lost connection, the check reports it and leaves reconnecting to senders and receivers.
 */
export function connectivity(connection: Connection, topic: () => string | undefined): TransportConnectivity {
  return {
    name: 'cloud_servicebus',
    check: async () => {
      if (connection.isClosed) return unhealthy('The transport is closed.');
      if (connection.answers === false) return unhealthy('The Service Bus is unreachable.');
      const known = topic();
      if (known === undefined) return degraded('No message has been sent or received yet.');
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
    if (isBusy(error)) return degraded('The Service Bus throttles requests.');
    return unhealthy(
      configurationError(error, topicEntity(topic)) === null
        ? 'The Service Bus is unreachable.'
        : 'The Service Bus denies access to this host, or its topic does not exist.',
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

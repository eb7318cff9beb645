/** The transport of a simulated host, over a link to the simulated broker. */
import { ServiceError } from '@svc/core';
import { ConcurrentCommands, MessageUndeliverableError } from '@svc/core/transport';

/**
 * `link.publish(messages)` resolves with the ids without an inbox, or rejects if the broker is unavailable or its confirmation is lost.
 * `link.consume(queue, topics, deliver)` delivers batches, `link.openInbox(deliver)` commands: `deliver` resolves with true to acknowledge.
 */
export function simulatedTransport(link, hostName) {
  return {
    hostName,
    canProve: () => true,
    async publish(messages) {
      const unknown = await link.publish(messages.map(plain)).catch((error) => {
        throw new ServiceError('SVC_TRANSPORT_UNAVAILABLE', 'The broker is unavailable.', { cause: error });
      });
      if (unknown.length > 0) throw new MessageUndeliverableError(unknown, 'NoInbox');
    },
    subscribe({ name, topics }, receive) {
      const consumer = link.consume(name, topics, async (batch) => ({ rejected: await receive(batch) }));
      return Promise.resolve(consumer);
    },
    openInbox(receive) {
      const commands = new ConcurrentCommands(receive);
      const consumer = link.openInbox((message) => commands.take(message));
      const close = async () => {
        await consumer.close();
        await commands.close();
      };
      return Promise.resolve({
        get isUp() {
          return consumer.isUp;
        },
        close,
      });
    },
    close: () => Promise.resolve(),
  };
}

/** Some messages write their JSON only when it is read. */
function plain({
  id,
  type,
  body,
  timestamp,
  correlationId,
  causationId,
  scope,
  metadata,
  streamId,
  destination,
  origin,
}) {
  return { id, type, body, timestamp, correlationId, causationId, scope, metadata, streamId, destination, origin };
}

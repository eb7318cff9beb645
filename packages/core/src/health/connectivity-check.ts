import { ServiceError } from '../errors/index.js';
import type { Transport } from '../transport/index.js';
import type { HealthCheck } from './health-check.js';

/** The one that is asked for by name: a service that goes on without its broker need not be taken out of traffic for it. */
const amqpBroker = 'amqp_broker';

/** The check of the transport's broker, when it has one. That of an AMQP broker is there only when it `isWanted`. */
export function connectivityChecks(transport: Transport | null, isWanted: boolean): readonly HealthCheck[] {
  const connectivity = transport?.connectivity;
  if (isWanted && connectivity?.name !== amqpBroker) {
    throw new ServiceError(
      'SVC_AMQP_BROKER_MISSING',
      'addAmqpBrokerHealthChecks() was called, and no AMQP broker is used. Call useTransport(rabbitMqTransport(…)) too, or leave it out.',
    );
  }
  if (connectivity === undefined || (connectivity.name === amqpBroker && !isWanted)) return [];
  return [{ name: connectivity.name, tags: [], check: () => connectivity.check() }];
}

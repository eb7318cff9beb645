import {
  clockChecks,
  connectivityChecks,
  drainCheck,
  HealthPipeline,
  migrationsCheck,
  perspectivesChecks,
  relationalDbChecks,
  selfCheck,
} from '../../health/index.js';
import type { Foundation } from './foundation.js';
import type { RunningPerspectives } from './running-perspectives.js';
import type { RunningTransport } from './running-transport.js';

export interface CheckedParts {
  readonly isDraining: () => boolean;
  readonly perspectives: RunningPerspectives;
  readonly runningTransport: RunningTransport | null;
}

export function healthOf(
  { registrations, storage, migrations, clock, transport, reportOf }: Foundation,
  { isDraining, perspectives, runningTransport }: CheckedParts,
): HealthPipeline {
  const checks = [
    selfCheck,
    drainCheck(isDraining),
    ...(migrations === null ? [] : [migrationsCheck(() => migrations.state)]),
    ...relationalDbChecks(storage),
    ...clockChecks(clock),
    ...perspectivesChecks(storage, perspectives, registrations.lagLimits),
    ...(runningTransport === null ? [] : [runningTransport.subscriptionsCheck]),
    ...connectivityChecks(transport, registrations.amqpBrokerHealthChecks),
    ...registrations.healthChecks,
  ];
  return new HealthPipeline(checks, { report: reportOf('health') });
}

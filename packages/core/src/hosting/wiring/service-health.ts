import {
  acrossDatabases,
  clockChecks,
  connectivityChecks,
  drainCheck,
  HealthPipeline,
  migrationsCheck,
  perspectivesChecks,
  reactionsChecks,
  relationalDbChecks,
  scheduleChecks,
  sealsChecks,
  selfCheck,
  type HealthCheck,
} from '../../health/index.js';
import type { Foundation, ServiceFoundation } from './foundation.js';
import type { RunningPerspectives } from './running-perspectives.js';
import type { RunningSeals } from './running-seals.js';
import type { RunningReactions } from './running-reactions.js';
import type { RunningTransport } from './running-transport.js';

/** A database, its perspectives, its reactions and its seals. */
export interface CheckedDatabase {
  readonly database: Foundation;
  readonly perspectives: RunningPerspectives;
  readonly reactions: RunningReactions;
  readonly seals: RunningSeals | null;
}

export interface CheckedParts {
  readonly isDraining: () => boolean;
  readonly databases: readonly CheckedDatabase[];
  readonly runningTransport: RunningTransport | null;
}

export function healthOf(
  { registrations, transport, reportOf }: ServiceFoundation,
  { isDraining, databases, runningTransport }: CheckedParts,
): HealthPipeline {
  const ofDatabases = databases.map((checked) => ({ name: checked.database.name, checks: databaseChecks(checked) }));
  const report = reportOf('health');
  const checks = [
    selfCheck,
    drainCheck(isDraining),
    ...(registrations.databases === null ? ofDatabases[0]!.checks : acrossDatabases(ofDatabases, report)),
    ...(runningTransport === null ? [] : [runningTransport.subscriptionsCheck]),
    ...connectivityChecks(transport, registrations.amqpBrokerHealthChecks),
    ...registrations.healthChecks,
  ];
  return new HealthPipeline(checks, { report });
}

function databaseChecks({ database, perspectives, reactions, seals }: CheckedDatabase): readonly HealthCheck[] {
  const { storage, migrations, clock, registrations } = database;
  return [
    ...(migrations === null ? [] : [migrationsCheck(() => migrations.state)]),
    ...relationalDbChecks(storage),
    ...clockChecks(clock),
    ...perspectivesChecks(storage, perspectives, registrations.lagLimits),
    ...reactionsChecks(reactions),
    ...scheduleChecks(storage),
    ...sealsChecks(seals),
  ];
}

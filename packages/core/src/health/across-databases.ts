import { HealthStatus, worst, type HealthCheck, type HealthResult } from './health-check.js';
import { HealthPipeline } from './health-pipeline.js';
import type { HealthEntry } from './health-report.js';

/** The checks of one database. */
export interface DatabaseChecks {
  readonly name: string;
  readonly checks: readonly HealthCheck[];
}

/** Less than the limit of a whole check: a database that does not answer must not hide the answers of the others. */
const timeLimitMs = 1_500;

/**
 * Combines the checks of several databases into one for each name. It is Unhealthy only if it is in every database: a host that can serve the
 * tenants of one database must not be taken out of traffic.
 */
export function acrossDatabases(
  databases: readonly DatabaseChecks[],
  report: (error: unknown) => void,
): readonly HealthCheck[] {
  const pipelines = databases.map(({ name, checks }) => ({
    name,
    checks,
    // The combined check has the cache.
    pipeline: new HealthPipeline(checks, { timeLimitMs, cacheMs: 0, report }),
  }));
  const all = new Map(databases.flatMap(({ checks }) => checks.map((check) => [check.name, check.tags] as const)));
  return [...all].map(([checkName, tags]) => ({
    name: checkName,
    tags,
    check: async () => {
      const having = pipelines.filter(({ checks }) => checks.some(({ name }) => name === checkName));
      const answers = await Promise.all(
        having.map(async ({ name, pipeline }) => {
          const { entries } = await pipeline.run((check) => check.name === checkName);
          return { name, entry: entries[0]! };
        }),
      );
      return combined(answers);
    },
  }));
}

function combined(answers: readonly { readonly name: string; readonly entry: HealthEntry }[]): HealthResult {
  const statuses = answers.map(({ entry }) => entry.status);
  const isEverywhere = statuses.every((status) => status === HealthStatus.Unhealthy);
  const status = worst(statuses);
  const sentences = answers.flatMap(({ name, entry: { description } }) =>
    description === undefined ? [] : [`Database ${name}: ${description}`],
  );
  const data = answers.flatMap(({ name, entry }) => [
    [`${name}.status`, entry.status] as const,
    ...Object.entries(entry.data ?? {}).map(([key, value]) => [`${name}.${key}`, value] as const),
  ]);
  return {
    status: status === HealthStatus.Unhealthy && !isEverywhere ? HealthStatus.Degraded : status,
    ...(sentences.length > 0 && { description: sentences.join(' ') }),
    data: Object.fromEntries(data),
  };
}

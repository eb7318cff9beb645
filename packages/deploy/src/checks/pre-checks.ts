import type { Check } from './check.js';
import { Skipped } from './check.js';
import { runCommand } from './command.js';
import { askDatabase } from './database.js';
import { askDependency } from './dependency.js';
import { incompatible, readPending } from './migrations.js';
import type { CheckSettings } from './settings.js';

/** Before a deployment: database connectivity, migrations, external dependencies, integration tests. */
export function preChecks({ pre, timeoutMs }: CheckSettings): readonly Check[] {
  const { database, migrations, dependencies, integrationTests } = pre;
  return [
    {
      name: 'database connectivity',
      run: async (signal) =>
        database === null ? new Skipped('checks.pre.database is not set') : await askDatabase(database, signal),
    },
    {
      name: 'pending migrations',
      run: async (signal) => {
        if (migrations === null) return new Skipped('checks.pre.migrations is not set');
        const pending = readPending(await runCommand(migrations, signal));
        const problems = pending.flatMap(incompatible);
        if (problems.length > 0) throw new Error(`not compatible with the running version: ${problems.join('; ')}`);
        return pending.length === 0
          ? 'none'
          : `${pending.length}, compatible: ${pending.map(({ key }) => key).join(', ')}`;
      },
    },
    ...(dependencies.length === 0
      ? [
          {
            name: 'external dependencies',
            run: () => Promise.resolve(new Skipped('checks.pre.dependencies is not set')),
          },
        ]
      : dependencies.map(({ name, url }) => ({
          name: `external dependency ${name}`,
          run: (signal: AbortSignal) => askDependency(url, signal),
        }))),
    {
      name: 'integration tests',
      timeoutMs: timeoutMs * 10,
      run: async (signal) => {
        if (integrationTests === null) return new Skipped('checks.pre.integrationTests is not set');
        await runCommand(integrationTests, signal);
        return integrationTests;
      },
    },
  ];
}

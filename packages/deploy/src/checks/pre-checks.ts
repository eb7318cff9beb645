import { runShell } from '../shell.js';
import type { Check } from './check.js';
import { Skipped } from './check.js';
import { askDatabase } from './database.js';
import type { DatabaseAccess } from './database-access.js';
import { askDependency } from './dependency.js';
import { incompatible, readPending, type PendingMigration } from './migrations.js';
import type { CheckSettings } from './settings.js';
import { filledIn } from './variables.js';

/** The checks before a deployment: database connectivity, migrations, external dependencies, integration tests. */
export function preChecks({ pre, timeoutMs }: CheckSettings, access: DatabaseAccess | null = null): readonly Check[] {
  const { database, migrations, dependencies, integrationTests } = pre;
  return [
    {
      name: 'database connectivity',
      run: async (signal) =>
        database === null ? new Skipped('checks.pre.database is not set') : await askDatabase(database, access, signal),
    },
    {
      name: 'pending migrations',
      run: async (signal) => {
        const pending =
          migrations === null ? await ownPending(pre, access) : readPending(await runShell(migrations, { signal }));
        if (pending instanceof Skipped) return pending;
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
          run: async (signal: AbortSignal) => await askDependency(filledIn(url), signal),
        }))),
    {
      name: 'integration tests',
      timeoutMs: timeoutMs * 10,
      run: async (signal) => {
        if (integrationTests === null) return new Skipped('checks.pre.integrationTests is not set');
        await runShell(integrationTests, { signal });
        return 'exit code 0';
      },
    },
  ];
}

/** Without a migrations command: the pending migrations of the service's own storage. */
async function ownPending(
  { database, registry, sharedTenants }: CheckSettings['pre'],
  access: DatabaseAccess | null,
): Promise<readonly PendingMigration[] | Skipped> {
  if (database === null) return new Skipped('neither checks.pre.database nor checks.pre.migrations is set');
  if (access === null) return new Skipped('no database driver is available, and checks.pre.migrations is not set');
  return await access.pending(filledIn(database), { registry, sharedTenants });
}

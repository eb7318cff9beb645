import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MigrationItem } from '@svc/core';
import type { perspectiveMigrations } from '@svc/core/hosting';
import { UsageError } from './failures.js';

/** Where the registry of a service is once it was built. */
export const usualRegistry = 'dist/generated/registry.js';

export interface RegistryChoice {
  /** The built registry of the service. Default: `usualRegistry`, where there is one. */
  readonly registry: string | undefined;
  /** Whether the service shares data between tenants: its models have other owners then. */
  readonly sharedTenants: boolean;
}

/** The options of commands that look at the perspectives of a service. */
export const registryOptions = { registry: { type: 'string' }, 'shared-tenants': { type: 'boolean' } } as const;

/** The perspectives of a service as migration items; null when no registry was named and there is none in the usual place. */
export async function servicePerspectives({
  registry,
  sharedTenants,
}: RegistryChoice): Promise<readonly MigrationItem[] | null> {
  const file = resolve(registry ?? usualRegistry);
  if (!existsSync(file)) {
    if (registry === undefined) return null;
    throw new UsageError(`There is no registry ${registry}. Build the service, then name its generated/registry.js.`);
  }
  const { registry: found } = (await import(pathToFileURL(file).href)) as { registry?: object };
  if (found === undefined) throw new UsageError(`${registry ?? usualRegistry} exports no registry.`);
  const core = await coreOf(file);
  return core.perspectiveMigrations(found as Parameters<typeof perspectiveMigrations>[0], { sharedTenants });
}

interface Core {
  readonly perspectiveMigrations: typeof perspectiveMigrations;
}

/** The @svc/core that the service uses: what decorators say of its classes is known to that one alone. */
async function coreOf(file: string): Promise<Core> {
  let path: string;
  try {
    path = createRequire(file).resolve('@svc/core/hosting');
  } catch (error) {
    throw new UsageError(`${file} cannot be loaded: @svc/core is not installed where it could find it.`, {
      cause: error,
    });
  }
  return (await import(pathToFileURL(path).href)) as Core;
}

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MigrationItem } from '@svc/core/storage';
import type { perspectiveMigrations } from '@svc/core/hosting';
import { UsageError } from '../failures.js';

/** Where the build of a service writes its registry. */
export const defaultRegistry = 'dist/generated/registry.js';

export interface RegistryChoice {
  /** The built registry of the service. Default: `defaultRegistry`, if that file exists. */
  readonly registry: string | undefined;
  /** Whether the service shares data between tenants. Its models then have different owners. */
  readonly sharedTenants: boolean;
}

/** The perspectives of a service as migration items; null if no registry was given and the default file does not exist. */
export async function servicePerspectives({
  registry,
  sharedTenants,
}: RegistryChoice): Promise<readonly MigrationItem[] | null> {
  const file = resolve(registry ?? defaultRegistry);
  if (!existsSync(file)) {
    if (registry === undefined) return null;
    throw new UsageError(
      `Registry ${registry} does not exist. Build the service, then pass its generated/registry.js.`,
    );
  }
  const { registry: found } = (await import(pathToFileURL(file).href)) as { registry?: object };
  if (found === undefined) throw new UsageError(`${registry ?? defaultRegistry} does not export "registry".`);
  const core = await coreOf(file);
  return core.perspectiveMigrations(found as Parameters<typeof perspectiveMigrations>[0], { sharedTenants });
}

interface Core {
  readonly perspectiveMigrations: typeof perspectiveMigrations;
}

/** The @svc/core that the service uses: only that instance has the metadata of the service's decorators. */
async function coreOf(file: string): Promise<Core> {
  let path: string;
  try {
    path = createRequire(file).resolve('@svc/core/hosting');
  } catch (error) {
    throw new UsageError(`Cannot load ${file}: it cannot resolve @svc/core. Install the dependencies of the service.`, {
      cause: error,
    });
  }
  return (await import(pathToFileURL(path).href)) as Core;
}

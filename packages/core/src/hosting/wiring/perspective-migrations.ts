import { perspectiveItem, type TableItem } from '../../migrations/index.js';
import { ownerFilters, perspectiveAccessOf } from '../../perspectives/index.js';
import type { PerspectiveTable } from '../../storage/index.js';
import { modelVersion } from './model-version.js';
import type { PerspectiveDescriptor, ServiceRegistry } from '../service-registry.js';

export interface PerspectiveMigrationOptions {
  /** Whether the service calls `shareDataBetweenTenants()`. Default: false. */
  readonly sharedTenants?: boolean;
}

/** Returns the perspectives of a service as migration items, for tools that only plan migrations. */
export function perspectiveMigrations(
  { perspectives = [], openapi }: Pick<ServiceRegistry<never>, 'perspectives' | 'openapi'>,
  { sharedTenants = false }: PerspectiveMigrationOptions = {},
): readonly TableItem[] {
  return perspectives.map((found) => perspectiveItem(wantedTable(found, !sharedTenants, openapi)));
}

/** The model table that this program needs for a perspective. */
export function wantedTable(
  { name, class: perspectiveClass, columns = [] }: Pick<PerspectiveDescriptor<never>, 'name' | 'class' | 'columns'>,
  isolatesTenants: boolean,
  openapi: ServiceRegistry<never>['openapi'],
): PerspectiveTable {
  const served = perspectiveAccessOf(perspectiveClass);
  const owners = ownerFilters(served, isolatesTenants);
  return { perspective: name, columns, version: modelVersion(name, served.version, owners, openapi) };
}

import type { AdministrationParts } from './administration-parts.js';
import { MigrationAdministration } from './migration-administration.js';
import { OverviewAdministration } from './overview-administration.js';

/**
 * What operators see of a running service, and change in it, in one database: `service.administration.migrations.list()`. The actor needs `system:read` to
 * see and `system:write` to change, and must reach all tenants. Each change is recorded with the actor's name.
 */
export class Administration {
  readonly migrations: MigrationAdministration;
  readonly overview: OverviewAdministration;

  constructor(parts: AdministrationParts) {
    this.migrations = new MigrationAdministration(parts);
    this.overview = new OverviewAdministration(parts);
  }
}

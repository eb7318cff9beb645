import type { AdministrationParts } from './administration-parts.js';
import { AccessAdministration } from './access-administration.js';
import { EventAdministration } from './event-administration.js';
import { MigrationAdministration } from './migration-administration.js';
import { OverviewAdministration } from './overview-administration.js';
import { Search } from './search.js';
import { StreamAdministration } from './stream-administration.js';

/**
 * What operators see of a running service, and change in it, in one database: `service.administration.migrations.list()`. The actor needs `system:read` to
 * see and `system:write` to change, and must reach all tenants. Each change is recorded with the actor's name. Events, streams and denials are divided by
 * tenants: an actor that reaches one tenant sees those of this tenant.
 */
export class Administration {
  readonly migrations: MigrationAdministration;
  readonly overview: OverviewAdministration;
  readonly events: EventAdministration;
  readonly streams: StreamAdministration;
  readonly search: Search;
  readonly access: AccessAdministration;

  constructor(parts: AdministrationParts) {
    this.migrations = new MigrationAdministration(parts);
    this.overview = new OverviewAdministration(parts);
    this.events = new EventAdministration(parts);
    this.streams = new StreamAdministration(parts);
    this.search = new Search(parts);
    this.access = new AccessAdministration(parts);
  }
}

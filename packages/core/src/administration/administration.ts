import { NotFoundError } from '../dispatch/index.js';
import { AccessAdministration } from './access-administration.js';
import type { AdministrationParts } from './administration-parts.js';
import { authorizeOperatorRead } from './authorize-operator.js';
import { DeadLetterAdministration } from './dead-letter-administration.js';
import { EventAdministration } from './event-administration.js';
import { MigrationAdministration } from './migration-administration.js';
import { OperationAdministration } from './operation-administration.js';
import { OverviewAdministration } from './overview-administration.js';
import { PerspectiveAdministration } from './perspective-administration.js';
import { ProcessAdministration } from './process-administration.js';
import { ReactionAdministration } from './reaction-administration.js';
import { ScheduleAdministration } from './schedule-administration.js';
import { Search } from './search.js';
import { StreamAdministration } from './stream-administration.js';

/**
 * What operators see of a running service, and change in it, in one database: `service.administration.migrations.list()`. The actor needs `system:read` to
 * see and `system:write` to change, and must reach all tenants. Each change is recorded with the actor's name. Events, streams, denials and dead letters are divided by
 * tenants: an actor that reaches one tenant sees those of this tenant.
 */
export class Administration {
  readonly perspectives: PerspectiveAdministration;
  readonly reactions: ReactionAdministration;
  readonly schedule: ScheduleAdministration;
  readonly processes: ProcessAdministration;
  readonly operations: OperationAdministration;
  readonly deadLetters: DeadLetterAdministration;
  readonly migrations: MigrationAdministration;
  readonly overview: OverviewAdministration;
  readonly events: EventAdministration;
  readonly streams: StreamAdministration;
  readonly search: Search;
  readonly access: AccessAdministration;
  readonly #parts: AdministrationParts;

  constructor(parts: AdministrationParts) {
    this.perspectives = new PerspectiveAdministration(parts);
    this.reactions = new ReactionAdministration(parts);
    this.schedule = new ScheduleAdministration(parts);
    this.processes = new ProcessAdministration(parts);
    this.operations = new OperationAdministration(parts);
    this.deadLetters = new DeadLetterAdministration(parts);
    this.migrations = new MigrationAdministration(parts);
    this.overview = new OverviewAdministration(parts);
    this.events = new EventAdministration(parts);
    this.streams = new StreamAdministration(parts);
    this.search = new Search(parts);
    this.access = new AccessAdministration(parts);
    this.#parts = parts;
  }

  /** The names of the databases of `useDatabases`; none if the service has one database. */
  get databases(): readonly string[] {
    return this.#parts.databases;
  }

  /** Runs work of an operator in one of the databases. The actor must reach all tenants. Without it, an operator works in the default database. */
  async inDatabase<T>(name: string, action: () => Promise<T>): Promise<T> {
    const { access, databases, runIn } = this.#parts;
    await authorizeOperatorRead(access);
    if (databases.length === 0) throw new NotFoundError('This service has one database, which has no name. Omit it.');
    if (!databases.includes(name))
      throw new NotFoundError(`There is no database ${JSON.stringify(name)}. There are ${databases.join(', ')}.`);
    return await runIn(name, action);
  }
}

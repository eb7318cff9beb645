import { AsyncLocalStorage } from 'node:async_hooks';
import { ServiceError } from '../../errors/index.js';
import { currentHostWork, type HostWork, type SecurityContext } from '../../security/index.js';
import type { TenantDatabases } from './tenant-databases.js';
import { TenantHomes, type Home } from './tenant-homes.js';

/** The database that the host has chosen to work in, by its name or by a tenant. */
type Choice = ({ readonly name: string } | { readonly tenant: string }) & {
  /** A choice ends where a later request begins: the host works there for the tenant of that request. */
  readonly within: HostWork | null;
  /** The operator for whom the database was chosen; null: the host. */
  readonly operator: SecurityContext | null;
};

const choices = new AsyncLocalStorage<Choice>();

/** Finds the database of the current work: that of the tenant. */
export class DatabaseRouter<TDatabase extends Home> {
  readonly all: readonly TDatabase[];
  /** The database for everything without a tenant. */
  readonly fallback: TDatabase;
  readonly #byName: ReadonlyMap<string, TDatabase>;
  /** Null: there is one database. */
  readonly #storageOf: TenantDatabases['storageOf'] | null;
  readonly #homes: TenantHomes;

  constructor(all: readonly TDatabase[], tenantDatabases: TenantDatabases | null) {
    this.all = all;
    this.#byName = new Map(all.map((database) => [database.name, database]));
    this.#storageOf = tenantDatabases?.storageOf ?? null;
    this.fallback = tenantDatabases === null ? all[0]! : this.named(tenantDatabases.default);
    this.#homes = new TenantHomes(all);
  }

  get isSingle(): boolean {
    return this.#storageOf === null;
  }

  /**
   * The database of an actor. A caller works in the database of its tenant, and an operator in the one it has chosen. The host works in that of the `tenant` it names, else in
   * the one it has chosen, else in that of the caller whose request it is part of, else in the default one.
   */
  of(actor: SecurityContext | null, tenant = ''): TDatabase | Promise<TDatabase> {
    if (this.#storageOf === null) return this.fallback;
    const choice = choices.getStore();
    if (actor !== null) {
      const isChosen = choice !== undefined && 'name' in choice && choice.operator === actor;
      return isChosen ? this.named(choice.name) : this.ofTenant(actor.scope.tenantId ?? '');
    }
    if (tenant !== '') return this.ofTenant(tenant);
    const work = currentHostWork();
    if (choice !== undefined && choice.within === work)
      return 'name' in choice ? this.named(choice.name) : this.ofTenant(choice.tenant);
    return work === null ? this.fallback : this.ofTenant(work.tenantId);
  }

  /** The database of a tenant, '' for none. Rejects an unknown tenant, and one whose data are in another database. */
  ofTenant(tenant: string): TDatabase | Promise<TDatabase> {
    const home = this.routeOf(tenant);
    if (home === null) throw unknownTenant(tenant);
    // The default database is confirmed at start.
    if (this.#storageOf === null || tenant === '') return home;
    const confirming = this.#homes.confirm(tenant, home);
    return confirming === undefined ? home : confirming.then(() => home);
  }

  /** The database that `storageOf` names for a tenant, unconfirmed; null: the tenant is unknown. */
  routeOf(tenant: string): TDatabase | null {
    if (this.#storageOf === null || tenant === '') return this.fallback;
    const name = this.#storageOf(tenant);
    return name === null || name === undefined ? null : this.named(name);
  }

  /** Throws if everything without a tenant is in another database than the default one. */
  async confirmFallback(): Promise<void> {
    if (this.#storageOf !== null) await this.#homes.confirm('', this.fallback);
  }

  /** Runs work of the host in a database, or of an operator that may work in all of them. */
  runIn<T>({ name }: TDatabase, action: () => T, operator: SecurityContext | null = null): T {
    return this.isSingle ? action() : choices.run({ name, within: currentHostWork(), operator }, action);
  }

  /** Runs work of the host in the database of a tenant, '' for none. */
  runInOf<T>(tenant: string, action: () => T): T {
    return this.isSingle ? action() : choices.run({ tenant, within: currentHostWork(), operator: null }, action);
  }

  named(name: string): TDatabase {
    const database = this.#byName.get(name);
    if (database !== undefined) return database;
    throw new ServiceError(
      'SVC_UNKNOWN_DATABASE',
      `The service has no database ${JSON.stringify(name)}. It has ${[...this.#byName.keys()].join(', ')}.`,
    );
  }
}

function unknownTenant(tenant: string): ServiceError {
  return new ServiceError(
    'SVC_UNKNOWN_TENANT',
    `The tenant ${JSON.stringify(tenant)} is unknown: this service has no database for it.`,
  );
}

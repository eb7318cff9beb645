import { createHash } from 'node:crypto';
import { ServiceError } from '../../errors/index.js';
import type { Uuid } from '../../json/index.js';
import { hashedId, wrap } from '../../messages/index.js';
import { ConcurrencyConflictError, type EventLog } from '../../storage/index.js';
import { TenantPlaced } from '../../system-events/index.js';

/** A database that holds the data of tenants. */
export interface Home {
  readonly name: string;
  readonly log: EventLog;
}

/**
 * Makes sure that the data of a tenant are in one database. The first work for a tenant appends `TenantPlaced` to a stream of the tenant in
 * that database. A database without it accepts the tenant only if no other database has it (decision 0091).
 */
export class TenantHomes {
  readonly #all: readonly Home[];
  readonly #confirmed = new Map<string, Home>();
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(all: readonly Home[]) {
    this.#all = all;
  }

  /** Resolves if a tenant belongs to a database. Undefined: it is known to, without asking. */
  confirm(tenant: string, home: Home): Promise<void> | undefined {
    if (this.#confirmed.get(tenant) === home) return undefined;
    const key = JSON.stringify([tenant, home.name]);
    let confirming = this.#underWay.get(key);
    if (confirming === undefined) {
      confirming = this.#confirm(tenant, home).finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, confirming);
    }
    return confirming;
  }

  async #confirm(tenant: string, home: Home): Promise<void> {
    if (!(await isPlaced(tenant, home))) {
      await this.#requireNowhereElse(tenant, home);
      await place(tenant, home);
      // Another host, with another storageOf, may have placed it at the same time.
      await this.#requireNowhereElse(tenant, home);
    }
    this.#confirmed.set(tenant, home);
  }

  async #requireNowhereElse(tenant: string, home: Home): Promise<void> {
    const others = this.#all.filter((database) => database !== home);
    const placed = await Promise.all(others.map((database) => isPlaced(tenant, database)));
    const other = others.find((_, i) => placed[i]);
    if (other !== undefined) throw moved(tenant, other.name, home.name);
  }
}

async function isPlaced(tenant: string, { log }: Home): Promise<boolean> {
  return (await log.tenantOf(placementOf(tenant))) === tenant;
}

async function place(tenant: string, { name, log }: Home): Promise<void> {
  const placed = Object.assign(new TenantPlaced(), { tenantId: tenant, database: name, timestamp: new Date() });
  const scope = { ...(tenant !== '' && { tenantId: tenant }), source: 'host' };
  const streamId = placementOf(tenant);
  const event = log.eventRecord(streamId, wrap('svc.TenantPlaced', placed, { scope }), { expectedPosition: -1 }, true);
  try {
    await log.commit({ events: [event], outgoing: [], delivered: null, received: [] });
  } catch (error) {
    // Another host was faster.
    if (!(error instanceof ConcurrencyConflictError)) throw error;
  }
}

/** The stream that records where the data of a tenant are. */
function placementOf(tenant: string): Uuid {
  return hashedId(createHash('sha256').update('svc-tenant-placement-1').update(tenant));
}

function moved(tenant: string, holder: string, named: string): ServiceError {
  const what = tenant === '' ? 'everything without a tenant' : `the tenant ${JSON.stringify(tenant)}`;
  return new ServiceError(
    'SVC_TENANT_MOVED',
    `The database ${holder} holds the data of ${what}, but the configuration names ${named}. Name ${holder} again, or check that both are different databases.`,
  );
}

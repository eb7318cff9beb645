import type { AccessControl } from '../../access/index.js';
import { ServiceError } from '../../errors/index.js';
import {
  isServed,
  ModelAccess,
  ModelOwners,
  ownerFilters,
  perspectiveAccessOf,
  PerspectiveLens,
  PerspectiveQuery,
  type ModelSource,
  type NamedPerspective,
  type PerspectiveAccess,
} from '../../perspectives/index.js';
import type { SecurityContext } from '../../security/index.js';
import type { PerspectiveTable } from '../../storage/index.js';
import type { HostParts } from '../service-registry.js';
import type { ServiceFoundation } from './foundation.js';
import { wantedTable } from './perspective-migrations.js';

/** A perspective of the service, before it runs in a database. */
export interface DeclaredPerspective {
  readonly class: unknown;
  readonly named: NamedPerspective;
  /** Who may read it. */
  readonly access: PerspectiveAccess;
  /** The model table that this program needs. */
  readonly table: PerspectiveTable;
}

/** Creates the registered perspectives, each once. */
export function declaredPerspectives(
  { registry, services, registrations, messages }: ServiceFoundation,
  host: HostParts,
  { isolatesTenants }: AccessControl,
): readonly DeclaredPerspective[] {
  const found = registrations.perspectives === true ? (registry.perspectives ?? []) : [];
  return found.map((descriptor) => {
    const { create, class: perspectiveClass, columns = [], ...rest } = descriptor;
    const access = perspectiveAccessOf(perspectiveClass);
    const owners = new ModelOwners(ownerFilters(access, isolatesTenants));
    return {
      class: perspectiveClass,
      named: {
        ...rest,
        columns,
        owners,
        perspective: create(host, services as never),
        ...(messages.hasPersonal && { personalTextsOf: (event: object) => messages.secretsOf(event) }),
      },
      access,
      table: wantedTable(descriptor, isolatesTenants, registry.openapi),
    };
  });
}

/** Finds where an actor reads the models of a perspective; a null actor is the host, which can name a tenant. */
export type FindSource = (
  name: string,
  actor: SecurityContext | null,
  tenant?: string,
) => ModelSource | Promise<ModelSource>;

/** Reads the models of perspectives: lenses for application code, queries for callers. */
export class PerspectiveReading {
  readonly queries: readonly PerspectiveQuery[];
  readonly #lenses = new Map<unknown, PerspectiveLens<object>>();

  constructor(declared: readonly DeclaredPerspective[], control: AccessControl, find: FindSource) {
    const queries: PerspectiveQuery[] = [];
    for (const { class: perspectiveClass, named, access } of declared) {
      const models = (actor: SecurityContext | null, tenant?: string) => find(named.name, actor, tenant);
      const modelAccess = new ModelAccess(named, access, control);
      this.#lenses.set(perspectiveClass, new PerspectiveLens({ named, models, access: modelAccess, control }));
      if (isServed(access)) queries.push(new PerspectiveQuery(named, access, control, models));
    }
    this.queries = queries;
  }

  /** Returns the lens of a perspective class. */
  lens(perspective: unknown): PerspectiveLens<object> {
    const lens = this.#lenses.get(perspective);
    if (lens === undefined) throw unknownPerspective(perspective);
    return lens;
  }
}

export function unknownPerspective(perspective: unknown): ServiceError {
  const name = typeof perspective === 'function' ? perspective.name : 'It';
  return new ServiceError(
    'SVC_UNKNOWN_PERSPECTIVE',
    `${name} is not a registered perspective. Call addServicePerspectives() and run svc generate.`,
  );
}

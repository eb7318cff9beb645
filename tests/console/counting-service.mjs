/** A service that counts, and rejects or fails if it is asked to. Plain JavaScript, so that it runs in processes of its own. */
import {
  anonymous,
  CommandRejectedError,
  commandEndpoint,
  createService,
  MutationEndpointBase,
  newId,
  perspective,
  permission,
} from '@svc/core';

export class Count {
  constructor(outcome) {
    this.outcome = outcome;
  }
}
commandEndpoint({ restRoute: '/count' })(Count);

export class Counted {}

class CountEndpoint extends MutationEndpointBase {}

class Counters {
  apply(model) {
    return { n: (model?.n ?? 0) + 1 };
  }
}
perspective({ route: '/counters' })(Counters);

class CountReceptor {
  receive({ outcome }, context) {
    if (outcome === 'rejected') throw new CommandRejectedError('You asked for it.');
    if (outcome === 'failed') throw new Error('A fault.');
    context.append(newId(), new Counted());
    return 'counted';
  }
}

const described = { write: JSON.stringify };
const registry = {
  messages: [
    { ...described, type: 'counting.Count', kind: 'command', class: Count, read: ({ outcome }) => new Count(outcome) },
    { ...described, type: 'counting.Counted', kind: 'event', class: Counted, read: () => new Counted() },
  ],
  receptors: [{ name: 'CountReceptor', command: Count, create: () => new CountReceptor() }],
  endpoints: [
    {
      name: 'CountEndpoint',
      command: Count,
      restRoute: '/count',
      graphQLMutation: null,
      readRequest: ({ outcome }) => new Count(outcome),
      writeResult: JSON.stringify,
      create: ({ dispatcher }) => new CountEndpoint(dispatcher),
    },
  ],
  perspectives: [
    {
      name: Counters.name,
      class: Counters,
      events: [Counted],
      readModel: (value) => value,
      writeModel: JSON.stringify,
      create: () => new Counters(),
    },
  ],
  openapi: { paths: {}, components: { schemas: {} } },
};

const callers = {
  operator: { tenantId: '', permissions: ['system:read', 'tenants:act'] },
  auditor: { tenantId: 'acme', permissions: ['system:read'] },
  clerk: { tenantId: 'acme', permissions: [] },
};

/** The caller is in the header `authorization`: operator, auditor of acme, or clerk of acme. */
const byName = {
  scheme: 'Test',
  credentialIn: (header) => header('authorization') ?? null,
  authenticate: (name) => {
    const { tenantId, permissions } = callers[name];
    const scope = tenantId === '' ? { userId: name } : { userId: name, tenantId };
    return Promise.resolve({ context: { ...anonymous, scope, permissions: new Set(permissions.map(permission)) } });
  },
};

export function countingService(storage) {
  return createService(registry)
    .useStorage(storage)
    .addSystemEvents()
    .addServicePerspectives()
    .addAuthentication(byName)
    .reportTo(() => {});
}

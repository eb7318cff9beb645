/** A service whose endpoints return the caller: one requires a permission, one authentication, one allows anonymous callers. */
import {
  commandEndpoint,
  createService,
  currentSecurityContext,
  InMemoryStorage,
  messageOf,
  newId,
  RestMutationEndpointBase,
  SystemEventStream,
  type Authenticator,
  type MessageClass,
  type ReceptorContext,
  type Service,
} from '@svc/core';
import { readObject } from './reading.js';

export class Write {
  note?: string;
}
export class Look {
  note?: string;
}
export class Browse {
  note?: string;
}
export class Acted {
  userId!: string;
  note!: string;
}
commandEndpoint<Write, Who>({ restRoute: '/write', requires: 'orders:write' })(Write);
commandEndpoint<Look, Who>({ restRoute: '/look' })(Look);
commandEndpoint<Browse, Who>({ restRoute: '/browse', allowAnonymous: true })(Browse);

/** The caller that the receptor saw. */
export interface Who {
  readonly userId?: string;
  readonly tenantId?: string;
  readonly userName?: string;
  readonly roles?: readonly string[];
  readonly permissions?: readonly string[];
  readonly source: string;
  /** The caller that the receptor of a nested command saw. */
  readonly inside?: string;
}

const commands: readonly [MessageClass, string][] = [
  [Write, '/write'],
  [Look, '/look'],
  [Browse, '/browse'],
];

export function securedService(...authenticators: Authenticator[]): Service {
  return createService({
    messages: [
      ...commands.map(([type]) => ({ ...readObject(type), type: `test.${type.name}`, kind: 'command' as const })),
      { ...readObject(Acted), type: 'test.Acted', kind: 'event' as const },
    ],
    receptors: commands.map(([command]) => ({ name: `${command.name}Receptor`, command, create: () => ({ receive }) })),
    endpoints: commands.map(([command, restRoute]) => ({
      name: `${command.name}Endpoint`,
      command,
      restRoute,
      graphQLMutation: null,
      readRequest: readObject(command).read,
      writeResult: (value: unknown) => JSON.stringify(value),
      create: (host) => new Endpoint(host.dispatcher, restRoute),
    })),
    openapi: {
      paths: Object.fromEntries(commands.map(([, route]) => [route, operation])),
      components: { schemas: {} },
    },
  })
    .useStorage(new InMemoryStorage())
    .addSystemEventAuditing((options) => options.enableAll())
    .addAuthentication(...authenticators);
}

const operation = { post: { responses: { '200': { description: 'Who acted.' } } } };

class Endpoint extends RestMutationEndpointBase<object, unknown> {
  constructor(
    dispatcher: ConstructorParameters<typeof RestMutationEndpointBase>[0],
    readonly restRoute: string,
  ) {
    super(dispatcher);
  }
}

async function receive(command: { readonly note?: string }, context: ReceptorContext): Promise<Who> {
  const { note = '' } = command;
  if (note === 'read the system stream') {
    await context.readStream(SystemEventStream.streamId)[Symbol.asyncIterator]().next();
  }
  // Several turns of the event loop, so that requests of different callers run concurrently.
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
  const who = describe();
  context.append(newId(), messageOf(Acted, { userId: who.userId ?? 'nobody', note }));
  if (!(command instanceof Look) || note === '') return who;
  const inside = (await context.invoke(messageOf(Write, { note }))) as Who;
  return { ...who, inside: inside.userId ?? 'nobody' };
}

function describe(): Who {
  const context = currentSecurityContext();
  if (context === null) return { source: 'nobody' };
  const { scope, roles, permissions, userName, source } = context;
  return {
    ...(scope.userId !== undefined && { userId: scope.userId }),
    ...(scope.tenantId !== undefined && { tenantId: scope.tenantId }),
    ...(userName !== undefined && { userName }),
    roles: [...roles],
    permissions: [...permissions],
    source,
  };
}

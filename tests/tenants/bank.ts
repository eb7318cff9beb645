/** A small bank with accounts of several tenants. Its receptors do not handle tenants. */
import {
  commandEndpoint,
  createService,
  NotFoundError,
  perspective,
  permission,
  RestMutationEndpointBase,
  UnauthenticatedError,
  type AppliedEvent,
  type Authenticator,
  type MessageClass,
  type Perspective,
  type PerspectiveScope,
  type ReceptorContext,
  type SecurityContext,
  type Service,
  type ServiceRegistry,
  type TenantDatabases,
  type Uuid,
} from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { type MessageKind } from '@svc/core/testing';
import { svc } from '@svc/fastify';
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import { onTestFinished } from 'vitest';
import { described } from '../perspectives/perspective-shop.js';

@commandEndpoint<OpenAccount, unknown>({ restRoute: '/accounts/open' })
export class OpenAccount {
  accountId!: Uuid;
  holder = 'smith';
}
/** Reads the account before it appends. */
@commandEndpoint<Deposit, unknown>({ restRoute: '/accounts/deposit' })
export class Deposit {
  accountId!: Uuid;
}
/** Appends without reading the account. */
@commandEndpoint<Charge, unknown>({ restRoute: '/accounts/charge' })
export class Charge {
  accountId!: Uuid;
  expectedPosition?: number;
}

export class AccountOpened {
  holder = '';
}
export class Deposited {}

export interface Account {
  events: number;
  holder: string;
}

function applied(model: Account | null, event: AccountOpened | Deposited): Account {
  const holder = event instanceof AccountOpened ? event.holder : (model?.holder ?? '');
  return { events: (model?.events ?? 0) + 1, holder };
}

/** One model for each account. */
@perspective({ route: '/accounts' })
export class AccountPerspective implements Perspective<Account, AccountOpened | Deposited> {
  apply(model: Account | null, event: AccountOpened | Deposited): Account {
    return applied(model, event);
  }
}

/** One model for each holder, over all of the holder's accounts. */
@perspective({ route: '/holders', indexed: ['events'] })
export class HolderPerspective implements Perspective<Account, AccountOpened> {
  keyOf({ holder }: AccountOpened): string {
    return holder;
  }

  apply(model: Account | null, event: AccountOpened): Account {
    return applied(model, event);
  }
}

/** Names and their number of accounts, over all tenants: `scope: 0` shares it. */
@perspective({ route: '/directory', scope: 0 })
export class DirectoryPerspective implements Perspective<Account, AccountOpened> {
  keyOf({ holder }: AccountOpened): string {
    return holder;
  }

  apply(model: Account | null, event: AccountOpened, _context: AppliedEvent): Account {
    return applied(model, event);
  }
}

const message = (type: MessageClass, kind: MessageKind) => ({
  type: `bank.${type.name}`,
  kind,
  class: type,
  read: (value: unknown) => Object.assign(new type(), value),
  write: JSON.stringify,
});

async function deposit({ accountId }: Deposit, context: ReceptorContext): Promise<number> {
  let position = -1;
  for await (const event of context.readStream(accountId)) position = event.position;
  if (position === -1) throw new NotFoundError(`There is no account ${accountId}.`);
  context.append(accountId, new Deposited(), { expectedPosition: position });
  return position;
}

/** Callers authenticate by `<tenant>/<user>`, with permissions after a space: `acme/ann system:read`. `-` means no tenant. */
const byName: Authenticator = {
  scheme: 'Test',
  credentialIn: (headers) => headers('authorization') ?? null,
  authenticate: (credential) =>
    credential === 'bad'
      ? Promise.reject(new UnauthenticatedError('No.', { scheme: 'Test' }))
      : Promise.resolve({ context: callerOf(credential) }),
};

export function callerOf(credential: string): SecurityContext {
  const [name, ...permissions] = credential.split(' ');
  const [tenantId, userId] = name!.split('/');
  const scope: PerspectiveScope = { userId: userId!, ...(tenantId !== '-' && { tenantId: tenantId! }) };
  return { scope, roles: new Set(), permissions: new Set(permissions.map(permission)), source: 'test' };
}

export interface Bank {
  readonly app: FastifyInstance;
  readonly service: Service;
  post(who: string | null, path: string, body: object, headers?: object): Promise<LightMyRequestResponse>;
  get(who: string | null, path: string, headers?: object): Promise<LightMyRequestResponse>;
}

export interface BankSetup {
  readonly storage: Storage | TenantDatabases;
  /** Default: callers authenticate by name. */
  readonly isOpen?: boolean;
  readonly configure?: (service: Service) => void;
  readonly addRoutes?: (app: FastifyInstance, service: Service) => void;
}

const commands = [OpenAccount, Deposit, Charge];
const routes = ['/accounts/open', '/accounts/deposit', '/accounts/charge'];

const handlers: Readonly<Record<string, (command: never, context: ReceptorContext) => unknown>> = {
  OpenAccount: ({ accountId, holder }: OpenAccount, context) =>
    context.append(accountId, Object.assign(new AccountOpened(), { holder }), { expectedPosition: -1 }),
  Deposit: deposit,
  Charge: ({ accountId, expectedPosition }: Charge, context) =>
    context.append(accountId, new Deposited(), expectedPosition === undefined ? {} : { expectedPosition }),
};

class BankEndpoint extends RestMutationEndpointBase<object, unknown> {
  readonly restRoute = '';
}

const registry: ServiceRegistry<object> = {
  messages: [
    ...commands.map((type) => message(type, 'command')),
    ...[AccountOpened, Deposited].map((type) => message(type, 'event')),
  ],
  receptors: commands.map((command) => ({
    name: `${command.name}Receptor`,
    command,
    create: () => ({ receive: (given, context) => handlers[command.name]!(given as never, context) }),
  })),
  endpoints: commands.map((command, i) => ({
    name: `${command.name}Endpoint`,
    command,
    restRoute: routes[i]!,
    graphQLMutation: null,
    readRequest: (value) => Object.assign(new command(), value),
    writeResult: (value) => JSON.stringify(value ?? null),
    create: ({ dispatcher }) => new BankEndpoint(dispatcher),
  })),
  perspectives: [
    described(AccountPerspective, [AccountOpened, Deposited]),
    { ...described(HolderPerspective, [AccountOpened]), columns: [{ name: 'events', type: 'integer' }] },
    described(DirectoryPerspective, [AccountOpened]),
  ],
  openapi: { paths: {}, components: { schemas: {} } },
};

export async function openBank({ storage, isOpen = false, configure, addRoutes }: BankSetup): Promise<Bank> {
  const service: Service = createService(registry);
  if ('storageOf' in storage) service.useDatabases(storage);
  else service.useStorage(storage);
  service.addSystemEventAuditing((events) => events.enableAll()).addServicePerspectives();
  if (!isOpen) service.addAuthentication(byName);
  configure?.(service);
  const app = Fastify();
  await app.register(svc(service));
  addRoutes?.(app, service);
  onTestFinished(async () => {
    await app.close();
    await service.stop();
  });
  const credential = (who: string | null): object => (who === null ? {} : { authorization: who });
  return {
    app,
    service,
    post: (who, url, payload, headers = {}) =>
      app.inject({ method: 'POST', url, payload, headers: { ...credential(who), ...headers } }),
    get: (who, url, headers = {}) => app.inject({ method: 'GET', url, headers: { ...credential(who), ...headers } }),
  };
}

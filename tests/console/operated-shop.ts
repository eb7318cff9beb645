/** A shop with everything that operators see, on a storage, and its console as a client uses it. */
import {
  CommandRejectedError,
  createService,
  newId,
  permission,
  UnauthenticatedError,
  type Authenticator,
  type ReceptorContext,
  type SecurityContext,
  type Service,
} from '@svc/core';
import { svcConsole } from '@svc/console/fastify';
import { inboxOf, type ReceiveCommand, type ReceivedMessage, type Transport } from '@svc/core/transport';
import { receivedMessage } from '@svc/core/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import Fastify, { type FastifyInstance } from 'fastify';
import { described } from '../perspectives/perspective-shop.js';
import { processOf } from '../processes/process-shop.js';
import { reactionOf } from '../reactions/reaction-shop.js';
import { OrderPlaced, PayOrder, PingOrder, PlaceOrder, shopRegistry } from '../system-events/shop.js';

function context(scope: SecurityContext['scope'], ...permissions: string[]): SecurityContext {
  return { scope, roles: new Set(), permissions: new Set(permissions.map(permission)), source: 'test' };
}

/** Callers by what they send in the header `authorization`. */
const callers: Readonly<Record<string, SecurityContext>> = {
  operator: context({ userId: 'olga' }, 'system:read', 'system:write', 'tenants:act'),
  viewer: context({ userId: 'vera' }, 'system:read', 'tenants:act'),
  auditor: context({ tenantId: 'acme', userId: 'eve' }, 'system:read', 'system:write'),
  clerk: context({ tenantId: 'acme', userId: 'ann' }),
};
export type Caller = keyof typeof callers;

export const byName: Authenticator = {
  scheme: 'Test',
  // Requests of tests have the name only, those of the page its scheme too.
  credentialIn: (headers) => headers('authorization')?.replace(/^Test /, '') ?? null,
  authenticate: (credential) => {
    const caller = callers[credential];
    return caller === undefined ? Promise.reject(new UnauthenticatedError()) : Promise.resolve({ context: caller });
  },
};

/** Delivers the commands that a test passes to it. */
class Line implements Transport {
  readonly hostName = 'shop';
  receiveCommand: ReceiveCommand = () => Promise.resolve(null);
  canProve = () => true;
  publish = (): Promise<void> => Promise.resolve();

  subscribe() {
    return Promise.resolve({ isUp: true, close: () => Promise.resolve() });
  }

  openInbox(receiveCommand: ReceiveCommand) {
    this.receiveCommand = receiveCommand;
    return Promise.resolve({ isUp: true, close: () => Promise.resolve() });
  }
}

/** What is wrong with the program, until an operator has a new version. */
export interface Faults {
  perspective: boolean;
  reaction: boolean;
}

/** `poison` is rejected, `later` schedules a command. */
function receive(command: object, receptor: ReceptorContext): unknown {
  if (!(command instanceof PlaceOrder)) return {};
  const { orderId, note } = command;
  if (note.startsWith('poison')) throw new CommandRejectedError('Poison is not sold.');
  if (note === 'later') receptor.schedule(new PingOrder(), { after: { hours: 1 }, key: `ping/${orderId}` });
  receptor.append(orderId, Object.assign(new OrderPlaced(), { note }));
  return { orderId };
}

export class OperatedShop {
  readonly service: Service;
  readonly faults: Faults = { perspective: true, reaction: true };
  readonly app: FastifyInstance = Fastify();
  readonly #line = new Line();
  readonly #ajv = new Ajv2020({ strict: false });
  #description: Description | undefined;

  private constructor(configure: (service: Service) => Service) {
    const { faults } = this;
    class Tallies {
      apply(model: { count: number } | null, { note }: OrderPlaced): { count: number } {
        if (faults.perspective && note === 'bad') throw new TypeError('Bad notes cannot be counted.');
        return { count: (model?.count ?? 0) + 1 };
      }
    }
    const mail = reactionOf({ name: 'mail', from: 'beginning', retry: { attempts: 1 } }, ({ note }) => {
      if (faults.reaction && note === 'bad') throw new CommandRejectedError('There is no mail for bad notes.');
    });
    const checkout = processOf({ name: 'checkout', from: 'beginning' }, () => {}, [OrderPlaced]);
    formats.default(this.#ajv);
    this.service = configure(
      createService({
        ...shopRegistry(receive),
        perspectives: [described(Tallies, [OrderPlaced])],
        reactions: [mail],
        processes: [checkout],
      }),
    )
      .addService()
      .useTransport(this.#line)
      .acceptCommands({ from: 'elsewhere', commands: [PlaceOrder, PayOrder] })
      .addSystemEventAuditing((options) => options.enableAll())
      .addServicePerspectives()
      .addServiceReactions()
      .addAuthentication(byName)
      .reportTo(() => {});
  }

  static async start(configure: (service: Service) => Service): Promise<OperatedShop> {
    const shop = new OperatedShop(configure);
    await shop.app.register(svcConsole(shop.service, { title: 'Shop' }));
    return shop;
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.service.stop();
  }

  /** Delivers a command of another host. */
  async deliver(note: string, tenantId = 'acme', fields: Partial<ReceivedMessage> = {}): Promise<ReceivedMessage> {
    const id = newId();
    const message = receivedMessage({
      id,
      type: 'shop.PlaceOrder',
      streamId: id,
      body: JSON.stringify({ orderId: newId(), note }),
      timestamp: Date.now(),
      correlationId: id,
      causationId: null,
      scope: { tenantId, userId: 'ann' },
      metadata: {},
      destination: inboxOf('shop'),
      origin: 'elsewhere',
      ...fields,
    });
    await this.#line.receiveCommand(message);
    return message;
  }

  /** Requests the API. A response must match its description. */
  async get<T = Answer>(path: string, caller: Caller = 'operator'): Promise<T> {
    return (await this.#request('GET', path, caller, undefined, 200)) as T;
  }

  async post<T = Answer>(path: string, body: object, caller: Caller = 'operator'): Promise<T> {
    return (await this.#request('POST', path, caller, body, 200)) as T;
  }

  /** The problem with which a request is rejected. */
  async rejected(status: number, path: string, body?: object, caller: Caller = 'operator'): Promise<Answer> {
    return await this.#request(body === undefined ? 'GET' : 'POST', path, caller, body, status);
  }

  async #request(method: 'GET' | 'POST', path: string, caller: Caller, body: object | undefined, status: number) {
    const response = await this.app.inject({
      method,
      url: `/console/api${path}`,
      headers: { authorization: caller },
      ...(body !== undefined && { payload: body }),
    });
    if (response.statusCode !== status) throw new Error(`${method} ${path}: ${response.statusCode} ${response.body}`);
    const answer = response.json<Answer>();
    if (status === 200) await this.#check(method, path, answer);
    return answer;
  }

  async #check(method: 'GET' | 'POST', path: string, answer: Answer): Promise<void> {
    this.#description ??= (await this.app.inject('/console/api/openapi.json')).json<Description>();
    const parts = path.split('?')[0]!.split('/');
    const matching = Object.entries(this.#description.paths).filter(([known]) => {
      const names = known.split('/');
      return names.length === parts.length && names.every((name, i) => name.startsWith('{') || name === parts[i]);
    });
    // A fixed path wins over one with parameters.
    const [, operations] = matching.toSorted(([a], [b]) => a.split('{').length - b.split('{').length)[0]!;
    const { schema } = operations[method.toLowerCase()]!.responses[200].content['application/json']!;
    const isValid = this.#ajv.compile(schema);
    if (!isValid(answer)) throw new Error(`${method} ${path}: ${this.#ajv.errorsText(isValid.errors)}`);
  }
}

/** A response. */
export type Answer = object;

interface Description {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly responses: { readonly 200: { readonly content: Readonly<Record<string, { schema: object }>> } } }
        >
      >
    >
  >;
}

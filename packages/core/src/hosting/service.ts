import {
  LocalDispatcher,
  type Dispatcher,
  type NamedReceptor,
  type PipelineBehavior,
  type Receptor,
} from '../dispatch/index.js';
import { ServiceError } from '../errors/index.js';
import { MessageRegistry, type Command, type MessageClass, type ResultOf } from '../messages/index.js';
import { EventStore, InMemoryStorage, type Storage } from '../storage/index.js';
import type { ReadyEndpoint, ServiceRegistry } from './service-registry.js';

/** The second argument of `createService`: absent when no constructor asks for anything. */
// oxlint-disable-next-line typescript/no-empty-object-type -- the question is whether anything is required
export type ServicesArgument<TServices extends object> = {} extends TServices
  ? [services?: TServices]
  : [services: TServices];

/**
 * Makes a service of what the generator found. `services` holds what the constructors of receptors and endpoints ask for,
 * by parameter name; the compiler checks that nothing is missing.
 */
export function createService<TServices extends object>(
  registry: ServiceRegistry<TServices>,
  ...[services]: ServicesArgument<TServices>
): Service<TServices> {
  return new Service(registry, services ?? ({} as TServices));
}

/** A service: first put together, then started, then used by the transports. */
export class Service<TServices extends object = object> {
  readonly registry: ServiceRegistry<TServices>;
  readonly #services: TServices;
  readonly #behaviors: PipelineBehavior[] = [];
  readonly #ownReceptors: { command: MessageClass; name: string; receptor: NamedReceptor['receptor'] }[] = [];
  #storage: Storage = new InMemoryStorage();
  #running: Running | undefined;

  constructor(registry: ServiceRegistry<TServices>, services: TServices) {
    this.registry = registry;
    this.#services = services;
  }

  /** Where events are kept. Default: in memory. */
  useStorage(storage: Storage): this {
    this.#refuseWhenStarted();
    this.#storage = storage;
    return this;
  }

  /** Adds a behavior around every command, inside those added before. */
  addBehavior(behavior: PipelineBehavior): this {
    this.#refuseWhenStarted();
    this.#behaviors.push(behavior);
    return this;
  }

  /** Adds a receptor that the generator did not find, such as one made by a function. */
  addReceptor<TCommand extends Command>(
    command: MessageClass<TCommand>,
    receptor: Receptor<TCommand, ResultOf<TCommand>>,
    name = receptor.constructor.name,
  ): this {
    this.#refuseWhenStarted();
    this.#ownReceptors.push({ command, name, receptor });
    return this;
  }

  /** Wires everything and checks it. What is wrong is thrown here, not at the first request. Starting twice does nothing. */
  start(): this {
    if (this.#running !== undefined) return this;
    const messages = new MessageRegistry(this.registry.messages);
    const receptors = new Map<unknown, NamedReceptor>();
    const eventStore = new EventStore(this.#storage, messages);
    const dispatcher = new LocalDispatcher(messages, eventStore, receptors, this.#behaviors);
    const found = this.registry.receptors.map(({ command, name, create }) => ({
      command,
      name,
      receptor: create(dispatcher, this.#services),
    }));
    for (const { command, name, receptor } of [...found, ...this.#ownReceptors]) {
      addReceptor(receptors, command, { name, commandType: messages.ofClass(command).type, receptor });
    }
    requireReceptors(messages, receptors);
    const endpoints = this.registry.endpoints.map(({ create, ...rest }) => ({
      ...rest,
      endpoint: create(dispatcher, this.#services),
    }));
    this.#running = { eventStore, dispatcher, endpoints };
    return this;
  }

  /** What has happened. */
  get eventStore(): EventStore {
    return this.#started().eventStore;
  }

  get dispatcher(): Dispatcher {
    return this.#started().dispatcher;
  }

  get endpoints(): readonly ReadyEndpoint[] {
    return this.#started().endpoints;
  }

  #started(): Running {
    if (this.#running === undefined) {
      throw new ServiceError('SVC_SERVICE_NOT_STARTED', 'The service has not been started. Call start() first.');
    }
    return this.#running;
  }

  #refuseWhenStarted(): void {
    if (this.#running !== undefined) {
      throw new ServiceError(
        'SVC_SERVICE_STARTED',
        'The service has started already. Register everything before start().',
      );
    }
  }
}

interface Running {
  readonly eventStore: EventStore;
  readonly dispatcher: Dispatcher;
  readonly endpoints: readonly ReadyEndpoint[];
}

function addReceptor(receptors: Map<unknown, NamedReceptor>, command: MessageClass, receptor: NamedReceptor): void {
  const other = receptors.get(command);
  if (other !== undefined) {
    throw new ServiceError(
      'SVC_DUPLICATE_RECEPTOR',
      `${command.name} has two receptors, ${other.name} and ${receptor.name}. A command has exactly one.`,
    );
  }
  receptors.set(command, receptor);
}

function requireReceptors(messages: MessageRegistry, receptors: ReadonlyMap<unknown, NamedReceptor>): void {
  const without = [...messages.all].filter((message) => message.kind === 'command' && !receptors.has(message.class));
  if (without.length === 0) return;
  const names = without.map((message) => message.class.name).join(', ');
  throw new ServiceError(
    'SVC_COMMAND_WITHOUT_RECEPTOR',
    `No receptor for ${names}. Write a class that implements Receptor for each and run svc generate, or use addReceptor.`,
  );
}

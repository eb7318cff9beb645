import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import {
  wrap,
  type Command,
  type EnvelopeOptions,
  type EnvelopeScope,
  type MessageRegistry,
  type ResultOf,
} from '../messages/index.js';
import type { EventStore } from '../storage/index.js';
import { DeferredSignal, type Cancellation } from './cancellation.js';
import { Invocation } from './invocation.js';
import type { PipelineBehavior } from './pipeline-behavior.js';
import type { NamedReceptor } from './receptor.js';
import { UnitOfWork } from './unit-of-work.js';

export interface InvokeOptions {
  /** Ends the command before it is kept. Default: never. */
  readonly signal?: Cancellation;
  /** Ties the command to what set it in motion. Default: the command's own id. */
  readonly correlationId?: Uuid;
  readonly scope?: EnvelopeScope;
}

/** Hands commands to their receptors. */
export interface Dispatcher {
  /** Runs a command and answers with its result once everything it changed is kept. */
  invoke<TCommand extends Command>(command: TCommand, options?: InvokeOptions): Promise<ResultOf<TCommand>>;
}

const neverAborted = new DeferredSignal();

/** Runs each command in a unit of work of its own, through the behaviors, in this process. */
export class LocalDispatcher implements Dispatcher {
  readonly #messages: MessageRegistry;
  readonly #eventStore: EventStore;
  readonly #receptors: ReadonlyMap<unknown, NamedReceptor>;
  readonly #behaviors: readonly PipelineBehavior[];

  constructor(
    messages: MessageRegistry,
    eventStore: EventStore,
    receptors: ReadonlyMap<unknown, NamedReceptor>,
    behaviors: readonly PipelineBehavior[],
  ) {
    this.#messages = messages;
    this.#eventStore = eventStore;
    this.#receptors = receptors;
    this.#behaviors = behaviors;
  }

  invoke<TCommand extends Command>(command: TCommand, options: InvokeOptions = {}): Promise<ResultOf<TCommand>> {
    return this.#run(command, options, options.signal ?? neverAborted, null) as Promise<ResultOf<TCommand>>;
  }

  readonly #invokeNested = (command: object, outer: Invocation): Promise<unknown> =>
    this.#run(command, { cause: outer.envelope }, outer.cancellation, outer.unitOfWork);

  async #run(
    command: object,
    options: EnvelopeOptions,
    cancellation: Cancellation,
    outer: UnitOfWork | null,
  ): Promise<unknown> {
    const { name, commandType, receptor } = this.#receptors.get(command.constructor) ?? this.#missing(command);
    const envelope = wrap(commandType, command, options);
    const unitOfWork = new UnitOfWork(this.#eventStore, outer);
    const invocation = new Invocation(envelope, cancellation, unitOfWork, this.#messages, this.#invokeNested, name);
    try {
      cancellation.throwIfAborted();
      const received =
        this.#behaviors.length === 0 ? receptor.receive(command, invocation) : this.#through(invocation, 0, receptor);
      // What is there already is not waited for: every wait is a turn of the event loop's queue.
      const response = isPromise(received) ? await received : received;
      // The last moment at which nothing has happened yet: what is cancelled until here is not kept.
      cancellation.throwIfAborted();
      const committing = unitOfWork.commit();
      if (isPromise(committing)) await committing;
      return response;
    } finally {
      unitOfWork.drop();
    }
  }

  async #through(invocation: Invocation, index: number, receptor: NamedReceptor['receptor']): Promise<unknown> {
    const behavior = this.#behaviors[index];
    if (behavior === undefined) return await receptor.receive(invocation.envelope.payload, invocation);
    return await behavior.handle(invocation, () => this.#through(invocation, index + 1, receptor));
  }

  #missing(command: object): never {
    const { type } = this.#messages.of(command);
    throw new ServiceError(
      'SVC_COMMAND_WITHOUT_RECEPTOR',
      `${type} is not a command with a receptor, so it cannot be invoked.`,
    );
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

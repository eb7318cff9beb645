import { ServiceError } from '../errors/index.js';
import { flat, type Uuid } from '../json/index.js';
import {
  inboxOf,
  requireUnreserved,
  wrap,
  type Command,
  type EnvelopeOptions,
  type EnvelopeScope,
  type MessageEnvelope,
  type MessageRegistry,
  type ResultOf,
  type TransportPublishFilter,
} from '../messages/index.js';
import { runAs } from '../security/index.js';
import { MessageSettledError, type EventStoreDecorator, type OutgoingRecord } from '../storage/index.js';
import { contextOfScope, scopeFor, type ActorGuard } from './acting-scope.js';
import { DeferredSignal, type Cancellation } from './cancellation.js';
import { claimOf, noteLastEvent } from './command-request.js';
import type { IdempotencyClaim } from './idempotency-claim.js';
import { Invocation, type InvocationHost } from './invocation.js';
import type { PipelineBehavior } from './pipeline-behavior.js';
import { isPromise } from './promises.js';
import type { NamedReceptor } from './receptor.js';
import { UnitOfWork, type CommittedAlong, type UnitLog } from './unit-of-work.js';

/** The message that a command came as, from elsewhere. */
export interface ReceivedCommand {
  readonly id: Uuid;
  readonly causationId: Uuid | null;
  /** Which attempt to run it this is. */
  readonly attempt: number;
  /** What is kept with what the command changes, so that it is done with. When it was before, nothing is kept. */
  readonly settles: CommittedAlong;
}

export interface InvokeOptions {
  /**
   * Ends the command before it is kept. With the signal of a request under an idempotency key, the result is stored under the key.
   * Default: never.
   */
  readonly signal?: Cancellation;
  /** Ties the command to what set it in motion. Default: the command's own id. */
  readonly correlationId?: Uuid;
  /** On whose behalf, when the host invokes the command. A caller acts in its own scope, which is the default. */
  readonly scope?: EnvelopeScope | null;
  /** What else is known of the command, such as the trace it belongs to; what it causes takes it over. Default: nothing. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The message that the command came as. Default: it starts here. */
  readonly received?: ReceivedCommand;
}

/** Hands commands to their receptors. */
export interface Dispatcher {
  /** Runs a command and answers with its result once everything it changed is kept. */
  invoke<TCommand extends Command>(command: TCommand, options?: InvokeOptions): Promise<ResultOf<TCommand>>;
}

/** Told of every command that failed, after everything it had changed was dropped. What it throws is lost. */
export type FailureObserver = (failed: Invocation, error: unknown) => Promise<void>;

export interface DispatcherParts {
  readonly messages: MessageRegistry;
  readonly log: UnitLog;
  readonly guard: ActorGuard;
  readonly receptors: ReadonlyMap<unknown, NamedReceptor>;
  readonly behaviors: readonly PipelineBehavior[];
  readonly decorate: EventStoreDecorator | null;
  readonly onFailure: FailureObserver | null;
  /** Whether commands can be sent to other hosts. */
  readonly sendsCommands: boolean;
  /** Whether one of them may leave. Null: there is no transport. */
  readonly publishFilter: TransportPublishFilter | null;
}

const neverAborted = new DeferredSignal();

/** Runs each command in a unit of work of its own, through the behaviors, in this process. */
export class LocalDispatcher implements Dispatcher {
  readonly #parts: DispatcherParts;
  /** How often commands have failed, for those that are dispatched again, as an endpoint's hook may do. */
  readonly #failures = new WeakMap<object, number>();

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  invoke<TCommand extends Command>(command: TCommand, options: InvokeOptions = {}): Promise<ResultOf<TCommand>> {
    const { guard } = this.#parts;
    const scope = scopeFor(guard, options.scope);
    if (!options.scope || !guard.isolatesTenants || guard.actor !== null) return this.#invoke(command, options, scope);
    // Given a scope, the host acts for its tenant, and reaches what that tenant can.
    return runAs(contextOfScope(options.scope), () => this.#invoke(command, options, scope));
  }

  #invoke<TCommand extends Command>(
    command: TCommand,
    options: InvokeOptions,
    scope: EnvelopeScope | null,
  ): Promise<ResultOf<TCommand>> {
    const { signal = neverAborted, correlationId, metadata, received } = options;
    let envelope: EnvelopeOptions;
    if (received !== undefined) {
      envelope = { scope, correlationId, metadata, id: received.id, causationId: received.causationId };
    } else {
      envelope = correlationId === undefined && metadata === undefined ? { scope } : { scope, correlationId, metadata };
    }
    const claim = claimOf(command, signal)?.takenBy(command);
    return this.#run(command, envelope, signal, null, claim, received) as Promise<ResultOf<TCommand>>;
  }

  readonly #host: InvocationHost = {
    invokeNested: (command, outer) => this.#run(command, { cause: outer.envelope }, outer.cancellation, outer),
    outgoingCommand: (command, hostName, cause) => this.#outgoingCommand(command, hostName, cause),
  };

  async #run(
    command: object,
    options: EnvelopeOptions,
    cancellation: Cancellation,
    outer: Invocation | null,
    claim?: IdempotencyClaim,
    message?: ReceivedCommand,
  ): Promise<unknown> {
    const { messages, log, receptors, behaviors, decorate, onFailure } = this.#parts;
    const named = receptors.get(command.constructor) ?? this.#missing(command);
    const envelope = wrap(named.commandType, command, options);
    const unitOfWork = new UnitOfWork(log, outer === null ? null : outer.unitOfWork, decorate);
    const failures = this.#failures.get(command) ?? 0;
    const attempt = claim?.attempt ?? (message?.attempt ?? outer?.attempt ?? 1) + failures;
    const invocation = new Invocation(envelope, cancellation, unitOfWork, messages, this.#host, named, attempt);
    try {
      // What the command has under a reserved name would be left out of its events, and unnoticed.
      if (options.metadata !== undefined) requireUnreserved(envelope.type, options.metadata);
      cancellation.throwIfAborted();
      const received =
        behaviors.length === 0 ? named.receptor.receive(command, invocation) : this.#through(invocation, 0);
      const response = isPromise(received) ? await received : received;
      // The last moment at which nothing has happened yet: what is cancelled until here is not kept.
      cancellation.throwIfAborted();
      const committing = unitOfWork.commit(
        claim === undefined ? message?.settles : { idempotency: claim.record(envelope.id, response) },
      );
      if (committing !== undefined) await committing;
      const lastEventId = outer === null ? unitOfWork.lastEventId : undefined;
      if (lastEventId !== undefined) noteLastEvent(cancellation, lastEventId);
      return response;
    } catch (error) {
      unitOfWork.drop();
      claim?.giveBack();
      // Somebody was faster: their result is the answer, and nothing has failed.
      if (claim?.isLostBy(error) === true) throw error;
      // It came before, and was kept then.
      if (message !== undefined && error instanceof MessageSettledError) throw error;
      this.#failures.set(command, failures + 1);
      if (onFailure !== null) await onFailure(invocation, error).catch(() => {});
      throw error;
    }
  }

  #through(invocation: Invocation, index: number): unknown {
    const behavior = this.#parts.behaviors[index];
    if (behavior !== undefined) return behavior.handle(invocation, () => this.#through(invocation, index + 1));
    return invocation.receptor.receptor.receive(invocation.envelope.payload, invocation);
  }

  /** Written at once: whoever made the command may change it afterwards. */
  #outgoingCommand(command: object, hostName: string, cause: MessageEnvelope): OutgoingRecord {
    const { messages, sendsCommands, publishFilter } = this.#parts;
    const { type, kind, write } = messages.of(command);
    if (kind !== 'command') {
      throw new ServiceError('SVC_UNKNOWN_MESSAGE', `${type} is not a command, and only commands are sent to a host.`);
    }
    if (!sendsCommands) {
      throw new ServiceError(
        'SVC_INBOX_UNSUPPORTED',
        `${type} cannot be sent: no transport carries commands. Call useTransport with one that does, such as rabbitMqTransport.`,
      );
    }
    // Left out in silence, the command would be lost.
    if (publishFilter?.shouldPublishToTransport(command) === false) {
      throw new ServiceError(
        'SVC_COMMAND_FILTERED',
        `${type} cannot be sent to ${hostName}: a transport publish filter refuses it. Change the filter, or do not send the command.`,
      );
    }
    const { id, timestamp, correlationId, causationId, scope, metadata } = wrap(type, command, { cause });
    const body = flat(write(command));
    return {
      id,
      lane: 'transport',
      destination: inboxOf(hostName),
      message: { id, type, body, timestamp: timestamp.getTime(), correlationId, causationId, scope, metadata },
      note: null,
      eventId: null,
    };
  }

  #missing(command: object): never {
    const { type } = this.#parts.messages.of(command);
    throw new ServiceError(
      'SVC_COMMAND_WITHOUT_RECEPTOR',
      `${type} is not a command with a receptor, so it cannot be invoked.`,
    );
  }
}

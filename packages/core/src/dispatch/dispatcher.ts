import { AsyncLocalStorage } from 'node:async_hooks';
import { hideSecrets } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import {
  requireUnreserved,
  wrap,
  type Command,
  type EnvelopeOptions,
  type EnvelopeScope,
  type MessageRegistry,
  type ResultOf,
  type TransportPublishFilter,
} from '../messages/index.js';
import { runAs } from '../security/index.js';
import { MessageSettledError, type EventStoreDecorator } from '../storage/index.js';
import { contextOfScope, scopeFor } from './acting-scope.js';
import { DeferredSignal, type Cancellation } from './cancellation.js';
import { observed, type CommandObserver } from './command-observer.js';
import { claimOf, noteLastEvent } from './command-request.js';
import { beforeRetry } from './conflict-retries.js';
import { DeciderLoader, type LoaderParts } from './decider-loader.js';
import type { IdempotencyClaim } from './idempotency-claim.js';
import { Invocation, type InvocationHost } from './invocation.js';
import type { PipelineBehavior } from './pipeline-behavior.js';
import { missingReceptor } from './missing-receptor.js';
import type { ReactionRun, ReactionRunParts } from './reaction-invocation.js';
import { isPromise } from './promises.js';
import type { NamedReceptor } from './receptor.js';
import { cancelledKey, outgoingCommand, scheduledCommand } from './sent-command.js';
import { SeenMessages } from './seen-messages.js';
import { CommandTurn } from './stream-queue.js';
import { UnitOfWork, type CommittedAlong } from './unit-of-work.js';

/** The message in which a command arrived from another host. */
export interface ReceivedCommand {
  readonly id: Uuid;
  readonly causationId: Uuid | null;
  /** The number of this attempt to run it. */
  readonly attempt: number;
  /** Committed with the changes of the command, so that it runs once. If the message was already received, nothing is committed. */
  readonly settles: CommittedAlong;
}

/** Options of `Dispatcher.invoke`. */
export interface InvokeOptions {
  /**
   * Cancels the command before it is committed. With the signal of a request under an idempotency key, the result is stored under the key.
   * Default: never.
   */
  readonly signal?: Cancellation;
  /** The correlation id of the command. Default: the command's own id. */
  readonly correlationId?: Uuid;
  /** The scope in which the host invokes the command. Default: the scope of the current caller. */
  readonly scope?: EnvelopeScope | null;
  /** Metadata of the command, such as its trace; the events and commands that it causes inherit them. Default: none. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The message in which the command arrived from another host. Default: none. */
  readonly received?: ReceivedCommand;
}

/** Runs commands by calling their receptors. */
export interface Dispatcher {
  /** Runs a command, and resolves with its result once its changes are committed. */
  invoke<TCommand extends Command>(command: TCommand, options?: InvokeOptions): Promise<ResultOf<TCommand>>;
}

/** Called for every failed command, after its changes were dropped. Its errors are ignored. */
export type FailureObserver = (failed: Invocation, error: unknown) => Promise<void>;

/** What a `LocalDispatcher` consists of. */
export interface DispatcherParts extends LoaderParts {
  readonly messages: MessageRegistry;
  readonly receptors: ReadonlyMap<unknown, NamedReceptor>;
  readonly behaviors: readonly PipelineBehavior[];
  readonly decorate: EventStoreDecorator | null;
  readonly onFailure: FailureObserver | null;
  /** How often a command runs again because a stream has changed since the command read it. */
  readonly conflictRetries: number;
  /** Whether commands can be sent to other hosts. */
  readonly sendsCommands: boolean;
  /** Whether the storage has scheduled commands. */
  readonly schedulesCommands: boolean;
  /** Whether a command may leave this host. Null: there is no transport. */
  readonly publishFilter: TransportPublishFilter | null;
}

/** The command of the receptor that runs. Only services with deciders need it: without them, no command waits for another. */
const currentTurn = new AsyncLocalStorage<CommandTurn>();

const withoutStreams = new CommandTurn();
const neverAborted = new DeferredSignal();

/** Runs each command in its own unit of work, through the pipeline behaviors, in this process. */
export class LocalDispatcher implements Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #loader: DeciderLoader;
  readonly #host: InvocationHost;
  /** The number of failures of a command, which a hook of an endpoint may dispatch again. */
  readonly #failures = new WeakMap<object, number>();
  #observer: CommandObserver | null = null;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#loader = new DeciderLoader(parts);
    this.#host = {
      messages: parts.messages,
      invokeNested: (command, outer) =>
        this.#run(command, { cause: outer.envelope }, outer.cancellation, outer, outer.turn),
      outgoingCommand: (command, hostName, cause) => outgoingCommand(command, hostName, cause, parts),
      scheduledCommand: (command, options, cause) => scheduledCommand(command, options, cause, parts),
      cancelledKey: (key, cause) => cancelledKey(key, cause, parts),
      load: (decider, streamId, invocation) => this.#loader.load(decider, streamId, invocation),
    };
  }

  /** Observes commands from now on. A service that records no activity has no observer, and pays nothing. */
  observe(observer: CommandObserver): void {
    this.#observer = observer;
  }

  invoke<TCommand extends Command>(command: TCommand, options: InvokeOptions = {}): Promise<ResultOf<TCommand>> {
    if (this.#observer === null) return this.#dispatch(command, options);
    return observed(this.#observer, () => this.#dispatch(command, options));
  }

  #dispatch<TCommand extends Command>(command: TCommand, options: InvokeOptions): Promise<ResultOf<TCommand>> {
    const { guard } = this.#parts;
    const scope = scopeFor(guard, options.scope);
    if (!options.scope || !guard.isolatesTenants || guard.actor !== null) return this.#invoke(command, options, scope);
    // With a scope, the host acts for its tenant, and reaches only the data of that tenant.
    return runAs(contextOfScope(options.scope), () => this.#invoke(command, options, scope));
  }

  #invoke<TCommand extends Command>(
    command: TCommand,
    options: InvokeOptions,
    scope: EnvelopeScope | null,
  ): Promise<ResultOf<TCommand>> {
    const { signal = neverAborted, correlationId, metadata, received } = options;
    const envelope = { scope, correlationId, metadata, id: received?.id, causationId: received?.causationId };
    const claim = claimOf(command, signal)?.takenBy(command);
    return this.#inTurn((turn) => this.#run(command, envelope, signal, null, turn, claim, received)) as Promise<
      ResultOf<TCommand>
    >;
  }

  /** Runs a reaction for the scope of its event, without permissions, and commits its changes. */
  react(run: ReactionRun): Promise<void> {
    return runAs(contextOfScope(run.envelope.scope ?? {}), () => this.#inTurn((turn) => this.#react(run, turn)));
  }

  async #react(run: ReactionRun, turn: CommandTurn): Promise<void> {
    const { messages, log, decorate, conflictRetries } = this.#parts;
    const { cancellation, reacted, envelope } = run;
    // Found first: the reaction may change its event.
    const secrets = messages.hasPersonal ? messages.secretsOf(envelope.payload) : [];
    for (let retries = 0; ; retries++) {
      const unitOfWork = new UnitOfWork(log, null, decorate, this.#seen());
      try {
        cancellation.throwIfAborted();
        const parts: ReactionRunParts = { unitOfWork, host: this.#host, turn, along: { reacted } };
        const running = run.start(run, parts);
        // Only a promise is awaited: each one costs as much as the rest of a short run.
        if (running !== undefined) await running;
        cancellation.throwIfAborted();
        const committing = unitOfWork.commit(parts.along);
        if (committing !== undefined) await committing;
        return;
      } catch (error) {
        unitOfWork.drop();
        if (retries >= conflictRetries || !unitOfWork.isOutdatedBy(error))
          throw withoutSecrets(error, secrets, unitOfWork);
        await beforeRetry(retries);
      }
    }
  }

  /** Runs work that holds the streams that it loads until it ends, even while it runs again. */
  #inTurn<T>(work: (turn: CommandTurn) => Promise<T>): Promise<T> {
    if (this.#parts.deciders.size === 0) return work(withoutStreams);
    const turn = new CommandTurn(currentTurn.getStore());
    return currentTurn.run(turn, () => work(turn)).finally(() => turn.end());
  }

  async #run(
    command: object,
    options: EnvelopeOptions,
    cancellation: Cancellation,
    outer: Invocation | null,
    turn: CommandTurn,
    claim?: IdempotencyClaim,
    message?: ReceivedCommand,
  ): Promise<unknown> {
    const { messages, log, receptors, decorate, onFailure, conflictRetries } = this.#parts;
    const named = receptors.get(command.constructor) ?? missingReceptor(command, messages);
    const envelope = wrap(named.commandType, command, options);
    const failures = this.#failures.get(command) ?? 0;
    const attempt = claim?.attempt ?? (message?.attempt ?? outer?.attempt ?? 1) + failures;
    // Found first: the receptor may remove them from its command.
    const secrets = messages.secretsOf(command);
    for (let retries = 0; ; retries++) {
      const unitOfWork =
        outer === null
          ? new UnitOfWork(log, null, decorate, this.#seen())
          : new UnitOfWork(log, outer.unitOfWork, decorate);
      const invocation = new Invocation(envelope, cancellation, unitOfWork, this.#host, named, attempt, turn);
      try {
        // Events would not inherit reserved keys, without notice.
        if (options.metadata !== undefined) requireUnreserved(envelope.type, options.metadata);
        cancellation.throwIfAborted();
        const received = this.#through(invocation, named, 0);
        const response = isPromise(received) ? await received : received;
        // The last chance to cancel: a command that is cancelled before this line is not committed.
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
        // The command decided from an outdated state. It runs again as the same command: same envelope, claim and message.
        if (outer === null && retries < conflictRetries && unitOfWork.isOutdatedBy(error)) {
          await beforeRetry(retries);
          continue;
        }
        claim?.giveBack();
        // Another request with the key was faster: its result is returned, and nothing has failed.
        if (claim?.isLostBy(error) === true) throw error;
        // The message was already received and committed.
        if (message !== undefined && error instanceof MessageSettledError) throw error;
        this.#failures.set(command, failures + 1);
        const shown = withoutSecrets(error, secrets, unitOfWork);
        if (onFailure !== null) await onFailure(invocation, shown).catch(() => {});
        throw shown;
      }
    }
  }

  /** Null: no message has personal data, and commands pay nothing. */
  #seen(): SeenMessages | null {
    const { messages } = this.#parts;
    return messages.hasPersonal ? new SeenMessages(messages) : null;
  }

  #through(invocation: Invocation, named: NamedReceptor, index: number): unknown {
    const behavior = this.#parts.behaviors[index];
    if (behavior !== undefined) return behavior.handle(invocation, () => this.#through(invocation, named, index + 1));
    return named.receptor.receive(invocation.envelope.payload, invocation);
  }
}

/** Removes from an error the secrets of the command or event, and the personal texts of what was read. */
function withoutSecrets(error: unknown, secrets: readonly string[], { seen }: UnitOfWork): unknown {
  return hideSecrets(error, seen === null ? secrets : [...secrets, ...seen.texts()]);
}

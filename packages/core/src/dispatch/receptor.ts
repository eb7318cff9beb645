import type { DeciderClass, LoadedStream } from '../deciders/index.js';
import type { Uuid } from '../json/index.js';
import type { Command, Event, MessageEnvelope, ResultOf } from '../messages/index.js';
import type { AppendOptions, DeferredOutboxChannel, StreamEvent, StreamStart } from '../storage/index.js';
import type { MessageMetadata } from './message-metadata.js';
import type { ScheduleOptions } from './schedule-options.js';

/** Handles one type of command. One instance handles all commands; state of one command belongs to its context. */
export interface Receptor<TCommand extends Command, TResult = void> {
  receive(command: TCommand, context: ReceptorContext): TResult | Promise<TResult>;
}

/** The context of the current message: its envelope, metadata and outbox. */
export interface MessageContext {
  readonly envelope: MessageEnvelope;
  readonly metadata: MessageMetadata;
  /** Queues messages that are committed together with the changes of this message. */
  readonly outbox: DeferredOutboxChannel;
}

/** Options of `ReceptorContext.send`. */
export interface SendOptions {
  /** The host to run the command: the `hostName` of its transport. It can be this host. Default: this service, without a transport. */
  readonly to?: string;
}

/** The context of a receptor. Everything that a receptor does with it belongs to the unit of work of one command. */
export interface ReceptorContext extends MessageContext {
  readonly signal: AbortSignal;

  /**
   * Appends an event to a stream. It is committed when the command succeeds, together with all other changes of the command. If the command has
   * read the stream to its end or loaded it, that succeeds only if no other command has appended to it since.
   */
  append(streamId: Uuid, event: Event, options?: AppendOptions): void;

  /**
   * Loads a stream with the state that a decider computes from its events. Commands of this host that load the same stream run one after the
   * other. If another host appends to it, the receptor runs again on the new state (see `conflictRetries`).
   */
  load<TState, TEvent extends Event>(
    decider: DeciderClass<TState, TEvent>,
    streamId: Uuid,
  ): Promise<LoadedStream<TState, TEvent>>;

  /** Reads the events of a stream in order: the stored ones, then those that this command has appended. */
  readStream(streamId: Uuid, from?: StreamStart): AsyncIterable<StreamEvent>;

  /**
   * Runs another command inside this one, committed or dropped together with it. If it fails, its changes are dropped, and this command can
   * continue.
   */
  invoke<TCommand extends Command>(command: TCommand): Promise<ResultOf<TCommand>>;

  /**
   * Sends a command to this service, or to another host. It is committed together with all other changes of this command. A command to this
   * service runs in the background, as soon as possible and on any of its hosts; another one waits in the inbox of its host. There is no
   * response.
   */
  send(command: Command, options?: SendOptions): void;

  /**
   * Schedules a command of this service. It is committed together with all other changes of this command, and runs in the background when it is
   * due, on any host, for the tenant and user of this command and without permissions. There is no response.
   */
  schedule(command: Command, options: ScheduleOptions): void;

  /** Cancels the command that is scheduled under a key in the tenant of this command, if there is one. */
  cancelScheduled(key: string): void;
}

/** The name of a receptor or reaction for logs and audit records, and its result type. */
export interface ReceptorFacts {
  readonly name: string;
  /** The name of its result type; null if none is declared. */
  readonly resultType: string | null;
}

/** A receptor with its name for logs and audit records, its command type and its result type. */
export interface NamedReceptor extends ReceptorFacts {
  readonly commandType: string;
  readonly receptor: Receptor<Command, unknown>;
}

import type { Uuid } from '../json/index.js';
import type { Command, Event, MessageEnvelope, ResultOf } from '../messages/index.js';
import type { AppendOptions, DeferredOutboxChannel, StreamEvent, StreamStart } from '../storage/index.js';
import type { MessageMetadata } from './message-metadata.js';

/** Handles one type of command. One instance serves all commands; what belongs to one command is in its context. */
export interface Receptor<TCommand extends Command, TResult = void> {
  receive(command: TCommand, context: ReceptorContext): TResult | Promise<TResult>;
}

/** What is known of a message while it is handled. */
export interface MessageContext {
  readonly envelope: MessageEnvelope;
  readonly metadata: MessageMetadata;
  /** Takes messages that leave when everything that this message changes is kept. */
  readonly outbox: DeferredOutboxChannel;
}

export interface SendOptions {
  /** The name of the host that is to do it, as its transport has it: another one, or this one. */
  readonly to: string;
}

/** What a receptor works with: everything here belongs to the unit of work of one command. */
export interface ReceptorContext extends MessageContext {
  readonly signal: AbortSignal;

  /** Adds an event to a stream. It is kept when the command succeeds, together with everything else the command changes. */
  append(streamId: Uuid, event: Event, options?: AppendOptions): void;

  /** The events of a stream in order: those that are kept, then those this command has appended. */
  readStream(streamId: Uuid, from?: StreamStart): AsyncIterable<StreamEvent>;

  /**
   * Runs another command inside this one: caused by it, kept or dropped together with it. When it fails, what it appended is
   * dropped, and this command may go on.
   */
  invoke<TCommand extends Command>(command: TCommand): Promise<ResultOf<TCommand>>;

  /**
   * Asks another host to run a command. It leaves when everything else that this command changes is kept, and waits in the inbox of that
   * host. Nobody waits for an answer.
   */
  send(command: Command, options: SendOptions): void;
}

/** A receptor under the name it is known by in logs and audit records, and what it takes and answers with. */
export interface NamedReceptor {
  readonly name: string;
  readonly commandType: string;
  /** The name of the type it answers with; null when nobody declared one. */
  readonly resultType: string | null;
  readonly receptor: Receptor<Command, unknown>;
}

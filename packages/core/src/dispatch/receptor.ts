import type { Uuid } from '../json/index.js';
import type { Command, Event, MessageEnvelope, ResultOf } from '../messages/index.js';
import type { StreamEvent } from '../storage/index.js';

/** Handles one type of command. One instance serves all commands; what belongs to one command is in its context. */
export interface Receptor<TCommand extends Command, TResult = void> {
  receive(command: TCommand, context: ReceptorContext): TResult | Promise<TResult>;
}

/** What a receptor works with: everything here belongs to the unit of work of one command. */
export interface ReceptorContext {
  readonly signal: AbortSignal;
  readonly envelope: MessageEnvelope;
  /** Facts that behaviors and receptors pass on about this command, `ReceptorName` among them. */
  readonly metadata: Map<string, unknown>;

  /** Adds an event to a stream. It is kept when the command succeeds, together with everything else the command changes. */
  append(streamId: Uuid, event: Event, options?: AppendOptions): void;

  /** The events of a stream in order: those that are kept, then those this command has appended. */
  readStream(streamId: Uuid, fromPosition?: number): AsyncIterable<StreamEvent>;

  /**
   * Runs another command inside this one: caused by it, kept or dropped together with it. When it fails, what it appended is
   * dropped, and this command may go on.
   */
  invoke<TCommand extends Command>(command: TCommand): Promise<ResultOf<TCommand>>;
}

export interface AppendOptions {
  /** The position the stream must be at, -1 for a new stream; otherwise the command fails with a `ConcurrencyConflictError`. Default: any. */
  readonly expectedPosition?: number;
}

/** A receptor under the name it is known by in logs and audit records, and the type name of its command. */
export interface NamedReceptor {
  readonly name: string;
  readonly commandType: string;
  readonly receptor: Receptor<Command, unknown>;
}

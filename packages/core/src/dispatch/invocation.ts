import type { Uuid } from '../json/index.js';
import {
  wrap,
  type Command,
  type Event,
  type MessageEnvelope,
  type MessageRegistry,
  type ResultOf,
} from '../messages/index.js';
import type {
  AppendOptions,
  DeferredOutboxChannel,
  OutgoingRecord,
  StreamEvent,
  StreamStart,
} from '../storage/index.js';
import { signalOf, type Cancellation } from './cancellation.js';
import type { MessageMetadata } from './message-metadata.js';
import { ReceptorMetadata } from './receptor-metadata.js';
import type { NamedReceptor, ReceptorContext, SendOptions } from './receptor.js';
import type { UnitOfWork } from './unit-of-work.js';

/** What an invocation asks of whoever runs it. */
export interface InvocationHost {
  /** Runs another command inside it. */
  invokeNested(command: object, outer: Invocation): Promise<unknown>;
  /** A command that another host is to run, as it leaves. */
  outgoingCommand(command: object, hostName: string, cause: MessageEnvelope): OutgoingRecord;
}

/** One run of one command: the context its receptor and the behaviors see. */
export class Invocation implements ReceptorContext {
  readonly cancellation: Cancellation;
  readonly envelope: MessageEnvelope;
  readonly unitOfWork: UnitOfWork;
  readonly #messages: MessageRegistry;
  readonly #host: InvocationHost;
  #metadata: MessageMetadata | undefined;

  constructor(
    envelope: MessageEnvelope,
    cancellation: Cancellation,
    unitOfWork: UnitOfWork,
    messages: MessageRegistry,
    host: InvocationHost,
    readonly receptor: NamedReceptor,
    /** Which attempt it is: 1, or more for a command that has failed before. */
    readonly attempt: number,
  ) {
    this.envelope = envelope;
    this.cancellation = cancellation;
    this.unitOfWork = unitOfWork;
    this.#messages = messages;
    this.#host = host;
  }

  get signal(): AbortSignal {
    return signalOf(this.cancellation);
  }

  get metadata(): MessageMetadata {
    return (this.#metadata ??= new ReceptorMetadata(this.receptor));
  }

  get outbox(): DeferredOutboxChannel {
    return this.unitOfWork;
  }

  append(streamId: Uuid, event: Event, options?: AppendOptions): void {
    const { type } = this.#messages.of(event);
    this.unitOfWork.eventStore.append(streamId, wrap(type, event, { streamId, cause: this.envelope }), options);
  }

  readStream(streamId: Uuid, from?: StreamStart): AsyncIterable<StreamEvent> {
    return this.unitOfWork.eventStore.readStream(streamId, from);
  }

  invoke<TCommand extends Command>(command: TCommand): Promise<ResultOf<TCommand>> {
    return this.#host.invokeNested(command, this) as Promise<ResultOf<TCommand>>;
  }

  send(command: Command, { to }: SendOptions): void {
    this.unitOfWork.queue(this.#host.outgoingCommand(command, to, this.envelope));
  }
}

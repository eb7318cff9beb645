import type { DeciderClass, LoadedStream } from '../deciders/index.js';
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
  ScheduledRecord,
  ScheduleKey,
  StreamEvent,
  StreamStart,
} from '../storage/index.js';
import { signalOf, type Cancellation } from './cancellation.js';
import type { MessageMetadata } from './message-metadata.js';
import { ReceptorMetadata } from './receptor-metadata.js';
import type { ReceptorContext, ReceptorFacts, SendOptions } from './receptor.js';
import type { ScheduleOptions } from './schedule-options.js';
import type { CommandTurn } from './stream-queue.js';
import type { UnitOfWork } from './unit-of-work.js';

/** What an invocation needs from its dispatcher. */
export interface InvocationHost {
  readonly messages: MessageRegistry;
  /** Runs a nested command. */
  invokeNested(command: object, outer: Invocation): Promise<unknown>;
  /** Loads a stream with the state of a decider. */
  load(decider: unknown, streamId: Uuid, invocation: Invocation): Promise<LoadedStream<unknown, Event>>;
  /** The record that sends a command to another host. */
  outgoingCommand(command: object, hostName: string, cause: MessageEnvelope): OutgoingRecord;
  /** The record that schedules a command of this service. */
  scheduledCommand(command: object, options: ScheduleOptions, cause: MessageEnvelope): ScheduledRecord;
  /** The key of a scheduled command to cancel. */
  cancelledKey(key: string, cause: MessageEnvelope): ScheduleKey;
}

const atOnce: ScheduleOptions = { after: { milliseconds: 0 } };

/** One execution of a command or a reaction: the context of its receptor and of the pipeline behaviors. */
export class Invocation implements ReceptorContext {
  readonly cancellation: Cancellation;
  readonly envelope: MessageEnvelope;
  readonly unitOfWork: UnitOfWork;
  protected readonly host: InvocationHost;
  #metadata: MessageMetadata | undefined;

  constructor(
    envelope: MessageEnvelope,
    cancellation: Cancellation,
    unitOfWork: UnitOfWork,
    host: InvocationHost,
    readonly receptor: ReceptorFacts,
    /** The number of this attempt: above 1 for a command that has failed before. */
    readonly attempt: number,
    /** Holds the streams that the outermost command and its nested commands have loaded. */
    readonly turn: CommandTurn,
  ) {
    this.envelope = envelope;
    this.cancellation = cancellation;
    this.unitOfWork = unitOfWork;
    this.host = host;
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
    const { type } = this.host.messages.of(event);
    this.unitOfWork.eventStore.append(streamId, wrap(type, event, { streamId, cause: this.envelope }), options);
  }

  load<TState, TEvent extends Event>(
    decider: DeciderClass<TState, TEvent>,
    streamId: Uuid,
  ): Promise<LoadedStream<TState, TEvent>> {
    return this.host.load(decider, streamId, this) as Promise<LoadedStream<TState, TEvent>>;
  }

  readStream(streamId: Uuid, from?: StreamStart): AsyncIterable<StreamEvent> {
    return this.unitOfWork.eventStore.readStream(streamId, from);
  }

  invoke<TCommand extends Command>(command: TCommand): Promise<ResultOf<TCommand>> {
    return this.host.invokeNested(command, this) as Promise<ResultOf<TCommand>>;
  }

  send(command: Command, { to }: SendOptions = {}): void {
    if (to === undefined) this.unitOfWork.schedule(this.host.scheduledCommand(command, atOnce, this.envelope));
    else this.unitOfWork.queue(this.host.outgoingCommand(command, to, this.envelope));
  }

  schedule(command: Command, options: ScheduleOptions): void {
    this.unitOfWork.schedule(this.host.scheduledCommand(command, options, this.envelope));
  }

  cancelScheduled(key: string): void {
    this.unitOfWork.cancelScheduled(this.host.cancelledKey(key, this.envelope));
  }
}

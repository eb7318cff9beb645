import type { MessageContext } from '../dispatch/index.js';
import type { Uuid } from '../json/index.js';
import type { Command, MessageClass, MessageEnvelope, OnlySystemEvent, SystemEvent } from '../messages/index.js';

/** Options of `SystemEventEmitter.emit`: the cause, the context, the id and a signal. */
export interface EmitOptions {
  /** The message that caused the system event, which inherits its correlation and scope. Default: the message of the context. */
  readonly cause?: MessageEnvelope;
  /** The context of the current message: the system event is committed or dropped together with its changes. */
  readonly context?: MessageContext;
  /** The id of the system event. Pass the same one to emit it again after a lost response: it is stored once. Default: a new one. */
  readonly id?: Uuid;
  readonly signal?: AbortSignal;
}

/** Emits system events to the system stream. */
export interface SystemEventEmitter {
  /** Emits `EventAudited` for a domain event at a position of a stream. */
  emitEventAudited(
    streamId: Uuid,
    streamPosition: number,
    envelope: MessageEnvelope,
    signal?: AbortSignal,
  ): Promise<void>;

  /** Emits `CommandAudited` for a processed command. With its context, the record is committed or dropped with the command. */
  emitCommandAudited(
    command: Command,
    response: unknown,
    receptorName: string,
    context?: MessageContext,
    signal?: AbortSignal,
  ): Promise<void>;

  /** Emits a system event if its category is enabled. Rejects other messages: append domain events to a stream. */
  emit<TSystemEvent extends SystemEvent>(event: OnlySystemEvent<TSystemEvent>, options?: EmitOptions): Promise<void>;

  /** Whether messages of this type are excluded from the audit. */
  shouldExcludeFromAudit(type: MessageClass): boolean;
}

/** An emitter that does nothing, for services without system events. */
export class NoOpSystemEventEmitter implements SystemEventEmitter {
  emitEventAudited(): Promise<void> {
    return Promise.resolve();
  }

  emitCommandAudited(): Promise<void> {
    return Promise.resolve();
  }

  emit(): Promise<void> {
    return Promise.resolve();
  }

  shouldExcludeFromAudit(): boolean {
    return true;
  }
}

import type { MessageContext } from '../dispatch/index.js';
import type { Uuid } from '../json/index.js';
import type { Command, MessageClass, MessageEnvelope, OnlySystemEvent, SystemEvent } from '../messages/index.js';

export interface EmitOptions {
  /** The message that led to the system event: correlation and scope are taken over from it. Default: that of the context. */
  readonly cause?: MessageEnvelope;
  /** The message that is being handled: the system event is then kept or dropped with everything that the message changes. */
  readonly context?: MessageContext;
  readonly signal?: AbortSignal;
}

/** Puts system events into the system stream. */
export interface SystemEventEmitter {
  /** Emits `EventAudited` for a domain event that stands at a position of a stream. */
  emitEventAudited(
    streamId: Uuid,
    streamPosition: number,
    envelope: MessageEnvelope,
    signal?: AbortSignal,
  ): Promise<void>;

  /** Emits `CommandAudited` for a command that was processed. With its context, it is kept or dropped with the command. */
  emitCommandAudited(
    command: Command,
    response: unknown,
    receptorName: string,
    context?: MessageContext,
    signal?: AbortSignal,
  ): Promise<void>;

  /** Emits any system event whose category is enabled. Rejects everything else, such as domain events: they belong into streams of their own. */
  emit<TSystemEvent extends SystemEvent>(event: OnlySystemEvent<TSystemEvent>, options?: EmitOptions): Promise<void>;

  /** Whether messages of this type are kept out of the audit. */
  shouldExcludeFromAudit(type: MessageClass): boolean;
}

/** Does nothing on every call, so that asking for an emitter is always safe. */
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

import { done, UnitOfWork, type MessageContext } from '../dispatch/index.js';
import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import {
  newId,
  type Command,
  type MessageClass,
  type MessageDescriptor,
  type MessageEnvelope,
  type MessageRegistry,
  type SystemEvent,
} from '../messages/index.js';
import { currentSecurityContext, scopeOf } from '../security/index.js';
import type { EventLog, OutgoingRecord } from '../storage/index.js';
import { auditNotesOf } from './audit-metadata.js';
import type { AuditPolicy } from './audit-policy.js';
import { AuditedKinds } from './audited-kind.js';
import { isEnabled } from './category.js';
import { CommandAuditedRecord } from './command-audited-record.js';
import { auditNote, eventAudited } from './event-audit.js';
import { outgoingSystemEvent, outgoingSystemMessage } from './outgoing-system-event.js';
import type { EmitOptions, SystemEventEmitter } from './system-event-emitter.js';
import type { SystemEventOptions } from './system-event-options.js';
import { isSystemMessage } from './system-messages.js';

/**
 * Emits system events through the outbox to the system stream: in the unit of work of the current message if there is one, otherwise in
 * their own.
 */
export class OutboxSystemEventEmitter implements SystemEventEmitter {
  readonly #log: EventLog;
  readonly #messages: MessageRegistry;
  readonly #policy: AuditPolicy;
  readonly #options: SystemEventOptions;
  readonly #kinds: AuditedKinds;

  constructor(log: EventLog, messages: MessageRegistry, policy: AuditPolicy, options: SystemEventOptions) {
    this.#log = log;
    this.#messages = messages;
    this.#policy = policy;
    this.#options = options;
    this.#kinds = new AuditedKinds(messages, policy);
  }

  async emitEventAudited(
    streamId: Uuid,
    streamPosition: number,
    envelope: MessageEnvelope,
    signal?: AbortSignal,
  ): Promise<void> {
    signal?.throwIfAborted();
    const attribute = this.#policy.attributeFor(envelope.payload.constructor);
    if (!this.#options.eventAuditEnabled || attribute === null) return;
    const id = newId();
    const event = this.#log.eventRecord(streamId, envelope);
    await this.#emit(eventAudited(id, event, streamPosition, auditNote(attribute)), envelope, undefined, id);
  }

  emitCommandAudited(
    command: Command,
    response: unknown,
    receptorName: string,
    context?: MessageContext,
    signal?: AbortSignal,
  ): Promise<void> {
    try {
      signal?.throwIfAborted();
      return this.#auditCommand(command, response, receptorName, context) ?? done;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #auditCommand(
    command: Command,
    response: unknown,
    receptorName: string,
    context: MessageContext | undefined,
  ): void | Promise<void> {
    if (!this.#options.commandAuditEnabled) return undefined;
    const responseType = context?.metadata.get('ResponseType') ?? nameOfType(response);
    const kind = this.#kinds.of(command, receptorName, typeof responseType === 'string' ? responseType : undefined);
    if (kind.attribute === null) return undefined;
    const envelope = context?.envelope;
    const body = this.#messages.write(command);
    const scope = envelope === undefined ? scopeOf(currentSecurityContext()) : envelope.scope;
    const record = new CommandAuditedRecord(newId(), kind, body, envelope, scope, auditNotesOf(context));
    return this.#queue(outgoingSystemMessage(record), context);
  }

  async emit(event: SystemEvent, { context, cause = context?.envelope, id, signal }: EmitOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    requireSystemEvent(this.#messages.of(event));
    if (isEnabled(event, this.#options)) await this.#emit(event, cause, context, id);
  }

  shouldExcludeFromAudit(type: MessageClass): boolean {
    return this.#policy.attributeFor(type) === null;
  }

  #emit(event: SystemEvent, cause?: MessageEnvelope, context?: MessageContext, id = newId()): void | Promise<void> {
    return this.#queue(outgoingSystemEvent(event, this.#messages, cause, id), context);
  }

  #queue(outgoing: OutgoingRecord, context: MessageContext | undefined): void | Promise<void> {
    if (context !== undefined) return context.outbox.queue(outgoing);
    const unitOfWork = new UnitOfWork(this.#log, null, null);
    unitOfWork.queue(outgoing);
    return unitOfWork.commit();
  }
}

function requireSystemEvent(message: MessageDescriptor): void {
  if (isSystemMessage(message)) return;
  const { type, kind } = message;
  throw new ServiceError(
    'SVC_NOT_A_SYSTEM_EVENT',
    `${type} cannot be emitted: it is ${kind === 'command' ? 'a command' : 'a domain event'}. Emit classes that implement SystemEvent; append domain events to a stream.`,
  );
}

function nameOfType(response: unknown): string | undefined {
  if (response === undefined || response === null) return undefined;
  if (typeof response !== 'object') return typeof response;
  const { name } = response.constructor ?? Object;
  return name === 'Object' ? undefined : name;
}

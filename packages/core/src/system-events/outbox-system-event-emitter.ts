import { UnitOfWork, type MessageContext } from '../dispatch/index.js';
import { JsonText, type Uuid } from '../json/index.js';
import {
  newId,
  wrap,
  type Command,
  type EnvelopeOptions,
  type MessageClass,
  type MessageEnvelope,
  type MessageRegistry,
  type SystemEvent,
} from '../messages/index.js';
import { currentSecurityContext, scopeOf } from '../security/index.js';
import type { EventLog } from '../storage/index.js';
import { auditDestination } from './audit-destination.js';
import type { AuditPolicy } from './audit-policy.js';
import { isEnabled } from './category.js';
import { auditNote, eventAudited } from './event-audit.js';
import { CommandAudited } from './records/audit-events.js';
import { AuditLevel } from './records/audit-level.js';
import type { EmitOptions, SystemEventEmitter } from './system-event-emitter.js';
import type { SystemEventOptions } from './system-event-options.js';

/**
 * Queues system events in the outbox, from where they go into the system stream: with the unit of work of the message that is being
 * handled, or in one of their own.
 */
export class OutboxSystemEventEmitter implements SystemEventEmitter {
  readonly #log: EventLog;
  readonly #messages: MessageRegistry;
  readonly #policy: AuditPolicy;
  readonly #options: SystemEventOptions;

  constructor(log: EventLog, messages: MessageRegistry, policy: AuditPolicy, options: SystemEventOptions) {
    this.#log = log;
    this.#messages = messages;
    this.#policy = policy;
    this.#options = options;
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
    await this.#send(eventAudited(id, event, streamPosition, auditNote(attribute)), { id, cause: envelope });
  }

  async emitCommandAudited(
    command: Command,
    response: unknown,
    receptorName: string,
    context?: MessageContext,
    signal?: AbortSignal,
  ): Promise<void> {
    signal?.throwIfAborted();
    const attribute = this.#policy.attributeFor(command.constructor);
    if (!this.#options.commandAuditEnabled || attribute === null) return;
    const { type, write } = this.#messages.of(command);
    const audited = new CommandAudited();
    audited.commandType = type;
    audited.commandBody = new JsonText(write(command));
    audited.timestamp = new Date();
    audited.auditLevel = attribute.level ?? AuditLevel.Info;
    if (attribute.reason !== undefined) audited.auditReason = attribute.reason;
    audited.receptorName = receptorName;
    const responseType = context?.metadata.get('ResponseType') ?? nameOfType(response);
    if (typeof responseType === 'string') audited.responseType = responseType;
    describeCause(audited, context?.envelope);
    await this.#send(audited, { id: audited.id, ...(context && { cause: context.envelope }) }, context);
  }

  async emit(event: SystemEvent, { context, cause = context?.envelope, signal }: EmitOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    if (isEnabled(event, this.#options)) await this.#send(event, cause === undefined ? {} : { cause }, context);
  }

  shouldExcludeFromAudit(type: MessageClass): boolean {
    return this.#policy.attributeFor(type) === null;
  }

  #send(event: SystemEvent, options: EnvelopeOptions, context?: MessageContext): void | Promise<void> {
    const { type } = this.#messages.of(event);
    const scope = options.cause === undefined ? scopeOf(currentSecurityContext()) : options.cause.scope;
    const message = this.#log.messageRecord(wrap(type, event, { ...options, scope }));
    const outgoing = { id: message.id, lane: 'system', destination: auditDestination, message, eventId: null } as const;
    if (context !== undefined) return context.outbox.queue(outgoing);
    const unitOfWork = new UnitOfWork(this.#log, null, null);
    unitOfWork.queue(outgoing);
    return unitOfWork.commit();
  }
}

/** Who had a command processed, and in the course of what. */
function describeCause(audited: CommandAudited, envelope: MessageEnvelope | undefined): void {
  const scope = envelope === undefined ? scopeOf(currentSecurityContext()) : envelope.scope;
  if (envelope !== undefined) {
    audited.correlationId = envelope.correlationId;
    if (envelope.causationId !== null) audited.causationId = envelope.causationId;
  }
  if (scope === null) return;
  const { tenantId, userId, userName } = scope;
  if (typeof tenantId === 'string') audited.tenantId = tenantId;
  if (typeof userId === 'string') audited.userId = userId;
  if (typeof userName === 'string') audited.userName = userName;
  audited.scope = scope;
}

function nameOfType(response: unknown): string | undefined {
  if (response === undefined || response === null) return undefined;
  if (typeof response !== 'object') return typeof response;
  const { name } = response.constructor ?? Object;
  return name === 'Object' ? undefined : name;
}

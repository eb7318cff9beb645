import { JsonText, type Uuid } from '../json/index.js';
import type { EnvelopeScope, MessageDescriptor } from '../messages/index.js';
import type { AuditNotes } from './audit-metadata.js';
import type { AuditedKind } from './audited-kind.js';
import { LateRecord } from './late-record.js';
import { CommandAudited } from './records/audit-events.js';
import { AuditLevel } from './records/audit-level.js';

/** What is known of a command that was processed. */
export interface ProcessedCommand {
  readonly kind: AuditedKind;
  /** As it was then, written as JSON. */
  readonly body: string;
  /** The command's own id; null when nobody knows its envelope. */
  readonly id: Uuid | null;
  readonly correlationId: Uuid | null;
  readonly causationId: Uuid | null;
  readonly scope: EnvelopeScope | null;
  /** What receptors and behaviors noted for the audit. */
  readonly notes: AuditNotes;
}

/** The audit of a command. Many are kept for long: each is one object, and no more than its fields. */
export class CommandAuditedRecord extends LateRecord {
  readonly timestamp = Date.now();
  readonly scope: EnvelopeScope | null;
  readonly #descriptor: MessageDescriptor;
  readonly #kind: AuditedKind;
  readonly #commandBody: string;
  readonly #commandId: Uuid | null;
  readonly #correlationId: Uuid | null;
  readonly #causationId: Uuid | null;
  readonly #notes: AuditNotes;

  constructor(id: Uuid, command: ProcessedCommand, descriptor: MessageDescriptor) {
    super(id);
    this.scope = command.scope;
    this.#descriptor = descriptor;
    this.#kind = command.kind;
    this.#commandBody = command.body;
    this.#commandId = command.id;
    this.#correlationId = command.correlationId;
    this.#causationId = command.causationId;
    this.#notes = command.notes;
  }

  get type(): string {
    return this.#descriptor.type;
  }

  get body(): string {
    return this.#descriptor.write(this.#audited());
  }

  get correlationId(): Uuid {
    return this.#correlationId ?? this.id;
  }

  /** The audit is caused by the command; what caused the command is in its body. */
  get causationId(): Uuid | null {
    return this.#commandId;
  }

  override get metadata(): Readonly<Record<string, unknown>> {
    return this.#notes;
  }

  #audited(): CommandAudited {
    const { type, attribute, receptorName, responseType } = this.#kind;
    const audited = new CommandAudited();
    audited.id = this.id;
    audited.commandType = type;
    audited.commandBody = new JsonText(this.#commandBody);
    audited.timestamp = new Date(this.timestamp);
    audited.auditLevel = attribute?.level ?? AuditLevel.Info;
    if (attribute?.reason !== undefined) audited.auditReason = attribute.reason;
    audited.receptorName = receptorName;
    if (responseType !== undefined) audited.responseType = responseType;
    if (this.#correlationId !== null) audited.correlationId = this.#correlationId;
    if (this.#causationId !== null) audited.causationId = this.#causationId;
    if (this.scope === null) return audited;
    const { tenantId, userId, userName } = this.scope;
    if (typeof tenantId === 'string') audited.tenantId = tenantId;
    if (typeof userId === 'string') audited.userId = userId;
    if (typeof userName === 'string') audited.userName = userName;
    audited.scope = this.scope;
    return audited;
  }
}

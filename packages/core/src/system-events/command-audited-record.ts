import { JsonText, type Uuid } from '../json/index.js';
import type { EnvelopeScope, MessageEnvelope } from '../messages/index.js';
import { LateRecord } from '../storage/index.js';
import type { AuditNotes } from './audit-metadata.js';
import type { AuditedKind } from './audited-kind.js';
import { CommandAudited } from './records/audit-events.js';
import { AuditLevel } from './records/audit-level.js';

const unknownCommand = { id: null, correlationId: null, causationId: null };

/** The audit record of a processed command. Many are in memory at once: each is one object with its fields only. */
export class CommandAuditedRecord extends LateRecord {
  readonly timestamp = Date.now();
  readonly scope: EnvelopeScope | null;
  readonly #kind: AuditedKind;
  readonly #commandBody: string;
  readonly #commandId: Uuid | null;
  readonly #correlationId: Uuid | null;
  readonly #causationId: Uuid | null;
  readonly #notes: AuditNotes;

  /** `body` is the command at the time of the audit; `envelope` is undefined if it is not known. */
  constructor(
    id: Uuid,
    kind: AuditedKind,
    body: string,
    envelope: MessageEnvelope | undefined,
    scope: EnvelopeScope | null,
    notes: AuditNotes,
  ) {
    super(id);
    this.scope = scope;
    this.#kind = kind;
    this.#commandBody = body;
    const { id: commandId, correlationId, causationId } = envelope ?? unknownCommand;
    this.#commandId = commandId;
    this.#correlationId = correlationId;
    this.#causationId = causationId;
    this.#notes = notes;
  }

  get type(): string {
    return this.#kind.audit.type;
  }

  get body(): string {
    return this.#kind.audit.write(this.#audited());
  }

  get correlationId(): Uuid {
    return this.#correlationId ?? this.id;
  }

  /** The command causes its audit record; the cause of the command is in the body of the record. */
  get causationId(): Uuid | null {
    return this.#commandId;
  }

  override get metadata(): Readonly<Record<string, unknown>> {
    return this.#notes;
  }

  #audited(): CommandAudited {
    const { type, receptorName, responseType } = this.#kind;
    // Commands without one are not audited.
    const attribute = this.#kind.attribute!;
    const audited = new CommandAudited();
    audited.id = this.id;
    audited.commandType = type;
    audited.commandBody = new JsonText(this.#commandBody);
    audited.timestamp = new Date(this.timestamp);
    audited.auditLevel = attribute.level ?? AuditLevel.Info;
    if (attribute.reason !== undefined) audited.auditReason = attribute.reason;
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

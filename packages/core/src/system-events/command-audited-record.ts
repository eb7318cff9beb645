import { JsonText, type Uuid } from '../json/index.js';
import type { EnvelopeScope, MessageDescriptor } from '../messages/index.js';
import type { AuditAttribute } from './audit-attribute.js';
import type { AuditNote } from './audit-metadata.js';
import { LateRecord } from './late-record.js';
import { CommandAudited } from './records/audit-events.js';
import { AuditLevel } from './records/audit-level.js';

/** What is known of a command that was processed. */
export interface ProcessedCommand {
  readonly type: string;
  /** As it was then, written as JSON. */
  readonly body: string;
  readonly attribute: AuditAttribute;
  readonly receptorName: string;
  readonly responseType: string | undefined;
  /** The command's own id; null when nobody knows its envelope. */
  readonly id: Uuid | null;
  readonly correlationId: Uuid | null;
  readonly causationId: Uuid | null;
  readonly scope: EnvelopeScope | null;
  /** What receptors and behaviors noted for the audit. */
  readonly notes: Readonly<Record<string, AuditNote>>;
}

/** The audit of a command. */
export class CommandAuditedRecord extends LateRecord {
  readonly timestamp = Date.now();
  readonly #command: ProcessedCommand;
  readonly #descriptor: MessageDescriptor;

  constructor(id: Uuid, command: ProcessedCommand, descriptor: MessageDescriptor) {
    super(id);
    this.#command = command;
    this.#descriptor = descriptor;
  }

  get type(): string {
    return this.#descriptor.type;
  }

  get body(): string {
    return this.#descriptor.write(commandAudited(this.id, this.timestamp, this.#command));
  }

  get correlationId(): Uuid {
    return this.#command.correlationId ?? this.id;
  }

  get causationId(): Uuid | null {
    return this.#command.id;
  }

  get scope(): EnvelopeScope | null {
    return this.#command.scope;
  }

  override get metadata(): Readonly<Record<string, unknown>> {
    return this.#command.notes;
  }
}

function commandAudited(id: Uuid, timestamp: number, command: ProcessedCommand): CommandAudited {
  const { type, body, attribute, receptorName, responseType, correlationId, causationId, scope } = command;
  const audited = new CommandAudited();
  audited.id = id;
  audited.commandType = type;
  audited.commandBody = new JsonText(body);
  audited.timestamp = new Date(timestamp);
  audited.auditLevel = attribute.level ?? AuditLevel.Info;
  if (attribute.reason !== undefined) audited.auditReason = attribute.reason;
  audited.receptorName = receptorName;
  if (responseType !== undefined) audited.responseType = responseType;
  if (correlationId !== null) audited.correlationId = correlationId;
  if (causationId !== null) audited.causationId = causationId;
  if (scope === null) return audited;
  const { tenantId, userId, userName } = scope;
  if (typeof tenantId === 'string') audited.tenantId = tenantId;
  if (typeof userId === 'string') audited.userId = userId;
  if (typeof userName === 'string') audited.userName = userName;
  audited.scope = scope;
  return audited;
}

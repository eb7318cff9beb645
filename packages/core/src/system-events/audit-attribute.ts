import { ClassNotes, type MessageClass } from '../messages/index.js';
import type { AuditLevel } from './records/audit-level.js';

/** How the messages of a type are audited: excluded or not, with a reason and a level. */
export interface AuditAttribute {
  /** True excludes the type from every audit. Default: false. */
  readonly exclude?: boolean;
  /** Copied to `auditReason` of the audit records. */
  readonly reason?: string;
  /** Copied to `auditLevel` of the audit records. Default: Info. */
  readonly level?: AuditLevel;
}

const attributes = new ClassNotes<AuditAttribute>();

/**
 * Configures how an event or command is audited: `@auditEvent({ exclude: true, reason: '…' })` excludes it, `@auditEvent()` marks it for
 * `AuditMode.OptIn`. Tools that do not lower decorators can call it on the class.
 */
export function auditEvent(
  attribute: AuditAttribute = {},
): (target: MessageClass, context?: ClassDecoratorContext) => void {
  return (target, context) => {
    attributes.add(target, attribute, context);
  };
}

/** The audit attribute of a class, or of its nearest base class that has one; null if there is none. */
export function auditAttributeOf(type: object): AuditAttribute | null {
  for (let current: object | null = type; current !== null; current = Object.getPrototypeOf(current) as object | null) {
    const attribute = attributes.of(current);
    if (attribute !== undefined) return attribute;
  }
  return null;
}

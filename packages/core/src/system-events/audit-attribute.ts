import { ClassNotes, type MessageClass } from '../messages/index.js';
import type { AuditLevel } from './records/audit-level.js';

export interface AuditAttribute {
  /** True keeps the type out of every audit. Default: false. */
  readonly exclude?: boolean;
  /** Copied to `auditReason` of the audit records. */
  readonly reason?: string;
  /** Default: Info. */
  readonly level?: AuditLevel;
}

const attributes = new ClassNotes<AuditAttribute>();

/**
 * Says how an event or command is audited: `@auditEvent({ exclude: true, reason: '…' })` keeps it out, `@auditEvent()` marks it for
 * `AuditMode.OptIn`. Works as a decorator, and called on the class for tools that do not lower decorators.
 */
export function auditEvent(
  attribute: AuditAttribute = {},
): (target: MessageClass, context?: ClassDecoratorContext) => void {
  return (target, context) => {
    attributes.add(target, attribute, context);
  };
}

/** The attribute of a class; null when it has none. A subclass has that of its base unless it has its own. */
export function auditAttributeOf(type: object): AuditAttribute | null {
  for (let current: object | null = type; current !== null; current = Object.getPrototypeOf(current) as object | null) {
    const attribute = attributes.of(current);
    if (attribute !== undefined) return attribute;
  }
  return null;
}

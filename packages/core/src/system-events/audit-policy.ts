import type { MessageClass, MessageRegistry } from '../messages/index.js';
import { auditAttributeOf, type AuditAttribute } from './audit-attribute.js';
import { AuditMode } from './audit-mode.js';
import type { SystemEventOptions } from './system-event-options.js';
import { isSystemMessage } from './system-messages.js';

const unmarked: AuditAttribute = Object.freeze({});

/** Decides which types of events and commands are audited. System events never are. */
export class AuditPolicy {
  readonly #options: SystemEventOptions;
  readonly #messages: MessageRegistry;
  readonly #decisions = new Map<unknown, AuditAttribute | null>();

  constructor(options: SystemEventOptions, messages: MessageRegistry) {
    this.#options = options;
    this.#messages = messages;
  }

  /** How a type is audited; null if it is not. Cached per type: neither the mode nor the attribute changes. */
  attributeFor(type: unknown): AuditAttribute | null {
    let decision = this.#decisions.get(type);
    if (decision === undefined) {
      decision = this.#decide(type as MessageClass);
      this.#decisions.set(type, decision);
    }
    return decision;
  }

  #decide(type: MessageClass): AuditAttribute | null {
    const attribute = auditAttributeOf(type);
    if (attribute?.exclude === true || isSystemMessage(this.#messages.find(type))) return null;
    return attribute ?? (this.#options.auditMode === AuditMode.OptIn ? null : unmarked);
  }
}

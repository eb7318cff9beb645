import type { MessageDescriptor, MessageRegistry } from '../messages/index.js';
import type { AuditAttribute } from './audit-attribute.js';
import type { AuditPolicy } from './audit-policy.js';
import { CommandAudited } from './records/audit-events.js';

/** What the audit records of one command type and receptor have in common. They share it to save memory. */
export interface AuditedKind {
  readonly type: string;
  /** The descriptor that their audit records are written with. */
  readonly audit: MessageDescriptor;
  /** Null: commands of this type are not audited. */
  readonly attribute: AuditAttribute | null;
  readonly receptorName: string;
  readonly responseType: string | undefined;
}

/** Finds the kind of each command, and caches it. */
export class AuditedKinds {
  readonly #messages: MessageRegistry;
  readonly #policy: AuditPolicy;
  readonly #kinds = new Map<unknown, AuditedKind>();

  constructor(messages: MessageRegistry, policy: AuditPolicy) {
    this.#messages = messages;
    this.#policy = policy;
  }

  of(command: object, receptorName: string, responseType: string | undefined): AuditedKind {
    const known = this.#kinds.get(command.constructor);
    if (known?.receptorName === receptorName && known.responseType === responseType) return known;
    const { type } = this.#messages.of(command);
    const attribute = this.#policy.attributeFor(command.constructor);
    const audit = this.#messages.ofClass(CommandAudited);
    const kind = { type, audit, attribute, receptorName, responseType };
    this.#kinds.set(command.constructor, kind);
    return kind;
  }
}

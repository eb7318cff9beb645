import type { MessageDescriptor, MessageRegistry } from '../messages/index.js';
import type { AuditAttribute } from './audit-attribute.js';
import type { AuditPolicy } from './audit-policy.js';
import { CommandAudited } from './records/audit-events.js';

/** What the audits of all commands have in common that are of one type, and go to one receptor. They are many: each refers to this. */
export interface AuditedKind {
  readonly type: string;
  readonly write: (command: object) => string;
  /** What their audits are written as. */
  readonly audit: MessageDescriptor;
  /** Null: they are not audited. */
  readonly attribute: AuditAttribute | null;
  readonly receptorName: string;
  readonly responseType: string | undefined;
}

/** Knows the kind of each command. */
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
    const { type, write } = this.#messages.of(command);
    const attribute = this.#policy.attributeFor(command.constructor);
    const audit = this.#messages.ofClass(CommandAudited);
    const kind = { type, write, audit, attribute, receptorName, responseType };
    this.#kinds.set(command.constructor, kind);
    return kind;
  }
}

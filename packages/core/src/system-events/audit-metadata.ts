import type { MessageContext } from '../dispatch/index.js';

/** A fact about a command for its audit record, such as a decision of a receptor: a single value. */
export type AuditNote = string | number | boolean | null;
/** The facts for the audit record of a command, by name. */
export type AuditNotes = Readonly<Record<string, AuditNote>>;

const key = 'AuditNotes';
const none: AuditNotes = Object.freeze({});

/** Adds a fact about the current message to the metadata of its audit record. */
export function noteForAudit({ metadata }: MessageContext, name: string, value: AuditNote): void {
  metadata.set(key, { ...(metadata.get(key) as AuditNotes | undefined), [name]: value });
}

/** Only the facts that were added for the audit: other metadata may be confidential. */
export function auditNotesOf(context: MessageContext | undefined): AuditNotes {
  return (context?.metadata.get(key) as AuditNotes | undefined) ?? none;
}

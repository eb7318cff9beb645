import type { MessageContext } from '../dispatch/index.js';

/** What an audit record can say beside the command: a decision that was taken on the way, as a single value. */
export type AuditNote = string | number | boolean | null;
export type AuditNotes = Readonly<Record<string, AuditNote>>;

const key = 'AuditNotes';
const none: AuditNotes = Object.freeze({});

/** Puts a fact about the message that is being handled into the metadata of its audit record. */
export function noteForAudit({ metadata }: MessageContext, name: string, value: AuditNote): void {
  metadata.set(key, { ...(metadata.get(key) as AuditNotes | undefined), [name]: value });
}

/** Only what was put there for the audit: other metadata may be nobody else's business. */
export function auditNotesOf(context: MessageContext | undefined): AuditNotes {
  return (context?.metadata.get(key) as AuditNotes | undefined) ?? none;
}

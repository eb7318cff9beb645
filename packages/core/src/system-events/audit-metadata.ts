import type { MessageContext } from '../dispatch/index.js';

/** What an audit record can say beside the command: a decision that was taken on the way, as a single value. */
export type AuditNote = string | number | boolean | null;

const prefix = 'Audit.';
const none: Readonly<Record<string, AuditNote>> = Object.freeze({});

/** Puts a fact about the message that is being handled into the metadata of its audit record. */
export function noteForAudit({ metadata }: MessageContext, name: string, value: AuditNote): void {
  metadata.set(prefix + name, value);
}

/** Only what was put there for the audit: other metadata may be nobody else's business. */
export function auditNotesOf(context: MessageContext | undefined): Readonly<Record<string, AuditNote>> {
  if (context === undefined) return none;
  let notes: Record<string, AuditNote> | undefined;
  for (const [key, value] of context.metadata) {
    if (key.startsWith(prefix)) (notes ??= {})[key.slice(prefix.length)] = value as AuditNote;
  }
  return notes ?? none;
}

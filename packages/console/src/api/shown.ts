/** What the answers of several operations have in common. */
import type { AuditEntry as CoreEntry } from '@svc/core/hosting';
import { provenanceOf, type ShownModel } from '@svc/core/hosting';
import type { AuditEntry, ChainNode, Document, ModelChange } from '../contract/index.js';

/** A larger document is shown in part: the page would not stay usable. */
export const largestDocument = 256 * 1024;
const excerptLength = 2_000;

export function documentOf(text: string): Document {
  const bytes = Buffer.byteLength(text);
  if (bytes > largestDocument) return { value: null, excerpt: text.slice(0, excerptLength), bytes, isComplete: false };
  return { value: JSON.parse(text) as unknown, excerpt: null, bytes, isComplete: true };
}

export function optionalDocument(text: string | null): Document | null {
  return text === null ? null : documentOf(text);
}

export function entryOf(entry: CoreEntry): AuditEntry {
  return { ...entry, roles: [...entry.roles], at: entry.at.toISOString() };
}

export function optionalEntry(entry: CoreEntry | null): AuditEntry | null {
  return entry === null ? null : entryOf(entry);
}

export function timeOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}

/** The tenant as answers have it: null for none. */
export function tenantOf(tenant: string): string | null {
  return tenant === '' ? null : tenant;
}

export function originOf(metadata: Readonly<Record<string, unknown>>): ChainNode['origin'] {
  return provenanceOf(metadata).origin;
}

/** What is known of an earlier model, without its content. */
export function modelOf(model: ShownModel): Omit<ModelChange, 'before' | 'after'> {
  const { perspective, key, status, error, events, streams, fromSnapshot } = model;
  return { perspective, key, status, error, events, streams, fromSnapshot };
}

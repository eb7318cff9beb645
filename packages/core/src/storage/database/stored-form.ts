import { scopeText } from '../../messages/index.js';
import type { PendingRecord } from '../event-record.js';

/** The body of an audit record that is stored by reference. Other events have objects as bodies. */
export const referenceBody = 'null';

/** The columns of an event that a database stores differently for an audit record. */
export interface StoredForm {
  readonly body: string;
  readonly scope: string | null;
  readonly metadata: string;
}

/** An event as a database stores it: an audit record refers to the event that it is about, and has its note as metadata. */
export function storedForm(event: PendingRecord): StoredForm {
  const { auditNote } = event;
  if (auditNote !== undefined) return { body: referenceBody, scope: null, metadata: auditNote };
  // Only now: writing the body of an audit record takes time.
  const { body, scope, metadata } = event;
  return { body, scope: scope && scopeText(scope), metadata: JSON.stringify(metadata) };
}

/** The digests of an event: see decision 0101 for the canonical form. */
import { hash } from 'node:crypto';
import type { EnvelopeScope } from '../messages/index.js';
import type { StoredRecord } from '../storage/index.js';
import { canonicalText } from './canonical-json.js';
import { leafHash } from './merkle-tree.js';

/** The digests of an event. */
export interface EventDigest {
  /** Of its canonical form: its leaf in the Merkle tree. */
  readonly leaf: Buffer;
  /** Of the text of its body, in hexadecimal digits. */
  readonly body: string;
}

export function digestOf(record: StoredRecord): EventDigest {
  // An audit record whose event was removed from the database has no body.
  const body = hash('sha256', record.body ?? '');
  return { leaf: leafHash(canonicalForm(record, body)), body };
}

/**
 * The canonical form of an event (RFC 8785), which has the digest of its body instead of the body. Written directly, because it is hashed for each
 * event: ids need no escapes, and the names are sorted here.
 */
export function canonicalForm(record: StoredRecord, bodyDigest: string): string {
  const { id, streamId, position, sequence, transaction, type, timestamp, correlationId, causationId } = record;
  const cause = causationId === null ? 'null' : `"${causationId}"`;
  const place = transaction === undefined ? 'null' : String(transaction);
  return (
    `{"body":"${bodyDigest}","causationId":${cause},"correlationId":"${correlationId}","id":"${id}"` +
    `,"metadata":${metadataText(record.metadata)},"position":${position},"scope":${scopeTextOf(record.scope)}` +
    `,"sequence":${sequence},"streamId":"${streamId}","timestamp":${timestamp},"transaction":${place},"type":${JSON.stringify(type)}}`
  );
}

const scopes = new WeakMap<EnvelopeScope, string>();

/** Many events share few scopes, which are frozen. */
function scopeTextOf(scope: EnvelopeScope | null): string {
  if (scope === null) return 'null';
  let text = scopes.get(scope);
  if (text === undefined) {
    text = canonicalText(scope);
    if (Object.isFrozen(scope)) scopes.set(scope, text);
  }
  return text;
}

function metadataText(metadata: StoredRecord['metadata']): string {
  for (const _ in metadata) return canonicalText(metadata);
  return '{}';
}

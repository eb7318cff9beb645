import { maximumDepth } from '../json/index.js';
import { isPlainText } from '../storage/index.js';
import { malformedCloudEvent } from './malformed-cloud-event.js';
import type { ReceivedMessage } from './transport.js';

/**
 * Why no database can store the metadata of a received message; null: every database can. Such metadata must never enter: `JSON.stringify`
 * fails on deep values, even when it writes a dead letter, and PostgreSQL rejects every statement that reads U+0000 in JSON.
 */
export function metadataFlawOf(metadata: object): string | null {
  let level = new Set<object>([metadata]);
  // One level after the other, not recursive: the nesting may exceed the call stack.
  for (let depth = 0; level.size > 0; depth++) {
    if (depth === maximumDepth) return `it is nested more than ${maximumDepth} levels deep`;
    const next = new Set<object>();
    for (const container of level) {
      for (const [key, value] of Object.entries(container)) {
        if (!isPlainText(key) || (typeof value === 'string' && !isPlainText(value))) return unstorable;
        if (typeof value === 'object' && value !== null) next.add(value as object);
      }
    }
    level = next;
  }
  return null;
}

const unstorable = 'it contains a string with U+0000 or half a surrogate pair';

/** The error for a message with metadata that no database can store; null: its metadata are valid. */
export function metadataErrorOf({ metadata }: Pick<ReceivedMessage, 'metadata'>): Error | null {
  const flaw = metadataFlawOf(metadata);
  return flaw === null ? null : malformedCloudEvent('metadata', flaw);
}

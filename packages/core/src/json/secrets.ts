/** The secrets of messages: generated writers call `secretText` instead of writing them, so that no caller of a writer can store one. */
import type { Writer } from './reader.js';
import { unwritable } from './writing.js';

/** What is written instead of a secret. */
export const hiddenSecret = '[secret]';

/** The secrets of the message that `secretsIn` visits. */
let visited: Set<string> | null = null;

/** Writes the replacement of a secret, without quotes. */
export function secretText(value: string): string {
  if (typeof value !== 'string') throw unwritable(value, 'a string');
  visited?.add(value);
  return hiddenSecret;
}

/** The secrets of a message, found by the writer of its type. A message that cannot be written has those that were found until then. */
export function secretsIn<T>(message: T, write: Writer<T>): readonly string[] {
  const found = new Set<string>();
  visited = found;
  try {
    write(message);
  } catch {
    // Another value of the message is invalid, which the caller notices when it writes the message.
  } finally {
    visited = null;
  }
  return [...found];
}

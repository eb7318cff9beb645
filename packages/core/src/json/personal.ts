/**
 * Personal data in JSON texts. Generated writers delimit each value with control characters, which no JSON text contains: such a text must be
 * encrypted before it is stored, or made plain before it is returned (decision 0103).
 */
import { ServiceError } from '../errors/index.js';
import type { Writer } from './reader.js';

const start = '\u0001';
const middle = '\u0002';
const end = '\u0003';
// oxlint-disable-next-line no-control-regex -- JSON texts have none, so they delimit values
const delimited = /\u0001([^\u0001\u0002]*)\u0002([^\u0001\u0003]*)\u0003/g;

/** How every encrypted value starts. */
export const encryptedPrefix = 'svc-personal:1:';

/**
 * An encrypted value in a JSON text, with its quotes: a string that is nothing else. Not part of a longer string, after an escaped quote, and not
 * the name of a property, which callers may choose.
 */
export const encryptedValue = /(?<!\\)"svc-personal:1:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([\w-]+)"(?!\s*:)/g;

/** An encrypted value in parsed JSON. */
export const encryptedString = /^svc-personal:1:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([\w-]+)$/;

/** A string in a JSON text that starts like an encrypted value. */
const lookalike = /(?<!\\)"svc-personal:1:/g;

/** The personal texts of the message that `personalTextsIn` visits. */
let visited: Set<string> | null = null;

/** Delimits the JSON text of a personal value. */
export function personalText(subject: unknown, text: string): string {
  if (visited !== null) addTexts(JSON.parse(text), visited);
  if (typeof subject === 'string' && subject !== '') return start + JSON.stringify(subject) + middle + text + end;
  throw new ServiceError(
    'SVC_SUBJECT_MISSING',
    'Cannot write personal data: the property that names their subject is empty. Set it to the id of the person.',
  );
}

/** Shorter texts occur in other words. */
const shortestText = 3;

/** The personal texts in a message, found by the writer of its type. */
export function personalTextsIn<T>(message: T, write: Writer<T>): readonly string[] {
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

function addTexts(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (value.length >= shortestText) found.add(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) addTexts(item, found);
  }
}

/** Whether a text has delimited personal values. */
export function hasPersonal(text: string): boolean {
  return text.includes(start);
}

/** The subjects of a text. */
export function subjectsIn(text: string): string[] {
  return personalValuesIn(text).map(({ subject }) => subject);
}

/**
 * Replaces each delimited value. A commit does this for each event, so it searches without a regular expression. Throws for a text that no writer
 * has written.
 */
export function replacePersonal(text: string, replace: (subject: string, value: string) => string): string {
  let result = '';
  let from = 0;
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, from)) {
    const valueAt = text.indexOf(middle, at);
    const endAt = text.indexOf(end, valueAt);
    if (valueAt === -1 || endAt === -1)
      throw new Error('A text has delimiters of personal values, but no writer has written it.');
    const subject = JSON.parse(text.slice(at + 1, valueAt)) as string;
    result += text.slice(from, at) + replace(subject, text.slice(valueAt + 1, endAt));
    from = endAt + 1;
  }
  return result + text.slice(from);
}

/** The delimited values of a text, each with its subject. */
export function personalValuesIn(text: string): readonly { readonly subject: string; readonly value: string }[] {
  const values: { subject: string; value: string }[] = [];
  replacePersonal(text, (subject, value) => {
    values.push({ subject, value });
    return '';
  });
  return values;
}

/** A text from another program, without delimiters: it would be treated as one with delimited values. Valid JSON has none. */
export function withoutDelimiters(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the delimiters
  return text.replaceAll(/[\u0001-\u0003]/g, (character) => `\\u000${character.charCodeAt(0)}`);
}

/** A JSON text in which no string is decrypted when it is read: those that start like an encrypted value have another start. */
export function withoutLookalikes(text: string): string {
  return text.includes(encryptedPrefix) ? text.replace(lookalike, `"(text) ${encryptedPrefix}`) : text;
}

/** The text with plain values, as callers see it. */
export function withoutMarks(text: string): string {
  return hasPersonal(text) ? text.replace(delimited, '$2') : text;
}

/** A parsed value for a generated reader: null for one that is still encrypted, because its key is unknown here. */
export function readable(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith(encryptedPrefix) ? null : value;
}

/**
 * Personal data in JSON texts. Generated writers delimit each value with control characters, which no JSON text contains: such a text must be
 * encrypted before it is stored, or made plain before it is returned (decision 0103).
 */
import { ServiceError } from '../errors/index.js';

const start = '\u0001';
const middle = '\u0002';
const end = '\u0003';
const delimited = /\u0001([^\u0002]*)\u0002([^\u0003]*)\u0003/g;

/** How every encrypted value starts. */
export const sealedPrefix = 'svc-personal:1:';

/** An encrypted value in a JSON text, with its quotes. */
export const sealedValue = /"svc-personal:1:([0-9a-f-]{36}):([\w-]+)"/g;

/** Delimits the JSON text of a personal value. */
export function personalText(subject: unknown, text: string): string {
  if (typeof subject === 'string' && subject !== '') return start + JSON.stringify(subject) + middle + text + end;
  throw new ServiceError(
    'SVC_SUBJECT_MISSING',
    'Cannot write personal data: the property that names their subject is empty. Set it to the id of the person.',
  );
}

/** Whether a text has delimited personal values. */
export function hasPersonal(text: string): boolean {
  return text.includes(start);
}

/** The subjects of a text. */
export function subjectsIn(text: string): string[] {
  return Array.from(text.matchAll(delimited), ([, subject]) => JSON.parse(subject!) as string);
}

/** Replaces each delimited value. */
export function replacePersonal(text: string, replace: (subject: string, value: string) => string): string {
  return text.replace(delimited, (_, subject: string, value: string) => replace(JSON.parse(subject) as string, value));
}

/** The text with plain values, as callers see it. */
export function withoutMarks(text: string): string {
  return hasPersonal(text) ? text.replace(delimited, '$2') : text;
}

/** A parsed value for a generated reader: null for one that is still encrypted, because its key is unknown here. */
export function readable(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith(sealedPrefix) ? null : value;
}

import { ServiceError } from '../../errors/index.js';
import { readOrThrow } from '../../json/index.js';
import type { EnvelopeScope } from '../../messages/index.js';
import {
  columnValue,
  isIndexableText,
  isPlainText,
  longestIndexedText,
  type ColumnValue,
  type ModelRecord,
} from '../../storage/index.js';
import type { NamedPerspective } from '../perspective.js';

/** The values of a model's indexed properties. Throws if one of them cannot be indexed. */
export function indexedValues(
  { columns }: Pick<NamedPerspective, 'columns'>,
  model: object | null,
): Readonly<Record<string, ColumnValue>> {
  if (columns.length === 0) return nothing;
  const values = columns.map(({ name, type }) => {
    const raw = model === null ? null : (model as Readonly<Record<string, unknown>>)[name];
    return [name, columnValue(name, type, raw)] as const;
  });
  return Object.fromEntries(values);
}

const nothing: Readonly<Record<string, ColumnValue>> = Object.freeze({});

/** The same for a model in its stored form. */
export function indexedValuesOf(
  named: NamedPerspective,
  body: ModelRecord['body'],
): Readonly<Record<string, ColumnValue>> {
  if (named.columns.length === 0) return nothing;
  return indexedValues(
    named,
    body === null ? null : readOrThrow(named.readModel, JSON.parse(body), { isStored: true }),
  );
}

/** Throws if a database cannot store this key, so that the event stops its stream and not the perspective. */
export function requireKey(key: string): void {
  if (typeof key === 'string' && isIndexableText(key)) return;
  throw new ServiceError(
    'SVC_INVALID_VALUE',
    `The key of a model must be a well-formed string without U+0000, of at most ${longestIndexedText} characters.`,
  );
}

/** The same for the owner of a model. */
export function requireOwner(owner: string): void {
  if (!isPlainText(owner)) throw unstorableScope();
}

/** The same for the scope of a model. */
export function requireScope(scope: EnvelopeScope | null): void {
  for (const [name, value] of Object.entries(scope ?? {})) {
    if (isPlainText(name) && (value === null || isPlainText(value))) continue;
    throw unstorableScope();
  }
}

function unstorableScope(): ServiceError {
  return new ServiceError(
    'SVC_INVALID_VALUE',
    'The scope and the tenant of an event must not contain a string with U+0000 or one that is not well-formed.',
  );
}

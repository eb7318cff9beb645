import type { StringType, TypeModel } from '../model/index.js';
import type { ReaderScope } from './reader-scope.js';
import { literal, quoted } from './source-file.js';

/** An expression that reads a scalar inline, wrapped in its constraints; undefined for other types. */
export function scalarReader(
  reader: ReaderScope,
  type: TypeModel,
  input: string,
  at: string,
  owner: string,
): string | undefined {
  const read = (name: string): string => `${reader.core(name)}(${input}, issues, ${at})`;
  const check = (name: string, text: string, argument: string): string =>
    `${reader.core(name)}(${text}, ${argument}, issues, ${at})`;
  switch (type.kind) {
    case 'string':
      return stringReader(reader, type, read, check, owner);
    case 'number': {
      let text = read(type.integer ? 'readInteger' : 'readNumber');
      if (type.min !== undefined) text = check('atLeast', text, String(type.min));
      if (type.max !== undefined) text = check('atMost', text, String(type.max));
      return text;
    }
    case 'boolean':
      return read('readBoolean');
    case 'date':
      return read('readDate');
    case 'null':
      return read('readNull');
    case 'literal': {
      const values = reader.constant(owner, 'Values', `[${type.values.map(literal).join(', ')}] as const`);
      return `${reader.core('readLiteral')}(${input}, ${values}, issues, ${at})`;
    }
    default:
      return undefined;
  }
}

function stringReader(
  reader: ReaderScope,
  type: StringType,
  read: (name: string) => string,
  check: (name: string, text: string, argument: string) => string,
  owner: string,
): string {
  let text = read(type.format === 'uuid' ? 'readUuid' : type.format === 'decimal' ? 'readDecimal' : 'readString');
  // The length comes first: no pattern runs over a text that is too long.
  if (type.maxLength !== undefined) text = check('lengthAtMost', text, String(type.maxLength));
  if (type.minLength !== undefined) text = check('lengthAtLeast', text, String(type.minLength));
  if (type.pattern !== undefined) {
    text = check('matching', text, reader.constant(owner, 'Pattern', `/${new RegExp(type.pattern, 'u').source}/u`));
  }
  if (type.format?.startsWith('format:')) {
    text = check('formatted', text, quoted(type.format.slice('format:'.length)));
  }
  if (type.min !== undefined) text = check('decimalAtLeast', text, quoted(withoutExponent(type.min)));
  if (type.max !== undefined) text = check('decimalAtMost', text, quoted(withoutExponent(type.max)));
  return text;
}

function withoutExponent(bound: number): string {
  return bound.toLocaleString('en-US', { useGrouping: false, maximumSignificantDigits: 21 });
}

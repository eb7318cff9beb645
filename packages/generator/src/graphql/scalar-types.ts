import type { NumberType, StringType } from '../model/index.js';
import { isEnumValue } from './names.js';

const largestInt = 2 ** 31 - 1;
const smallestInt = -(2 ** 31);

/** `Duration` for `string & Format<'duration'>`, `String` for a format that GraphQL clients do not know. */
export function stringScalar({ format }: StringType): string {
  switch (format) {
    case 'uuid':
    case 'format:uuid':
      return 'UUID';
    case 'decimal':
      return 'Decimal';
    case 'format:date-time':
      return 'DateTime';
    case 'format:duration':
      return 'Duration';
    default:
      return 'String';
  }
}

/** GraphQL's `Int` has 32 bits: a larger number would fail in the response, after the command has run. */
export function numberScalar({ integer, min, max }: NumberType): string {
  if (!integer) return 'Float';
  return min !== undefined && max !== undefined && min >= smallestInt && max <= largestInt ? 'Int' : 'SafeInt';
}

/** `enum` for two or more texts that are GraphQL names; otherwise the scalar of the values. */
export function literalScalar(values: readonly (string | number | boolean)[]): string {
  if (values.length > 1 && values.every(isEnumValue)) return 'enum';
  if (values.every((value) => typeof value === 'string')) return 'String';
  if (values.every((value) => typeof value === 'boolean')) return 'Boolean';
  if (!values.every((value) => typeof value === 'number')) return 'JSON';
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return numberScalar({ kind: 'number', integer: values.every(Number.isInteger), min, max });
}

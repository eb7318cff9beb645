import type { StringType } from '../model/index.js';
import type { SchemaForm, JsonSchema } from './schema-types.js';

/** The limit of `readDecimal`. A test compares both. */
export const maxDecimalLength = 1_000;

const magnitude = '(0|[1-9][0-9]*)(\\.[0-9]+)?';
const negative = `-${magnitude}`;
const zero = '0(\\.0+)?';

/** The schema of a `Decimal`: a string; in a request also a number, which the reader accepts if it is exact. */
export function decimalSchema(type: Pick<StringType, 'min' | 'max'>, form: SchemaForm): JsonSchema {
  const { min, max } = type;
  const text = { type: 'string', format: 'decimal', pattern: patternOf(type), maxLength: maxDecimalLength };
  // JSON Schema has bounds for numbers only; the pattern expresses the sign of a string, and the description its bounds.
  const bounds = min === undefined && max === undefined ? {} : { description: boundsText(type) };
  if (form !== 'request') return { ...text, ...bounds };
  const number = {
    type: 'number',
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  };
  return { anyOf: [text, number], ...bounds };
}

/** The strings with the signs that the bounds allow. The reader accepts a zero with a minus, which is 0. */
function patternOf({ min = -Infinity, max = Infinity }: Pick<StringType, 'min' | 'max'>): string {
  if (min === 0 && max === 0) return `^-?${zero}$`;
  if (min > 0) return `^${magnitude}$`;
  if (min === 0) return `^(-${zero}|${magnitude})$`;
  if (max < 0) return `^${negative}$`;
  if (max === 0) return `^(${negative}|${zero})$`;
  return `^-?${magnitude}$`;
}

function boundsText({ min, max }: Pick<StringType, 'min' | 'max'>): string {
  if (min === undefined) return `At most ${max}.`;
  return max === undefined ? `At least ${min}.` : `Between ${min} and ${max}.`;
}

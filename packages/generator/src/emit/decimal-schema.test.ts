import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalSchema } from './decimal-schema.js';

const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,2})(\.[0-9]{1,2})?$/);

describe.each<{ min?: number; max?: number }>([
  {},
  { min: 0 },
  { min: 2 },
  { min: -2 },
  { max: 0 },
  { max: -2 },
  { max: 2 },
  { min: 0, max: 0 },
  { min: -2, max: 3 },
])('the schema of a decimal with the bounds %o', (bounds) => {
  const { min = -Infinity, max = Infinity } = bounds;

  it('allows every string within the bounds, and none of a sign outside', () => {
    const pattern = new RegExp(String(decimalSchema(bounds, 'response')['pattern']), 'u');
    fc.assert(
      fc.property(digits, (text) => {
        const value = Number(text);
        if (value >= min && value <= max) expect(pattern.test(text)).toBe(true);
        if ((value < 0 && min >= 0) || (value > 0 && max <= 0)) expect(pattern.test(text)).toBe(false);
      }),
    );
  });

  it('allows numbers within the bounds, in requests only', () => {
    const { description: _, ...text } = decimalSchema(bounds, 'response');
    const minimum = bounds.min === undefined ? {} : { minimum: min };
    const maximum = bounds.max === undefined ? {} : { maximum: max };
    expect(decimalSchema(bounds, 'request')['anyOf']).toEqual([text, { type: 'number', ...minimum, ...maximum }]);
    expect(text).toMatchObject({ type: 'string', format: 'decimal' });
  });
});

import { expect, it } from 'vitest';
import { recordedError } from './recorded-error.js';

it('removes credentials from the text before it is truncated', () => {
  const error = new Error(`${'x'.repeat(1_980)} postgres://app:hunter2hunter2@db/shop`);
  expect(recordedError(error).errorMessage).not.toContain('hunter');
  expect(recordedError(new Error('Authorization: Bearer abc.def'))).toEqual({
    errorName: 'Error',
    errorMessage: 'Authorization: Bearer ***',
  });
});

it('stores what every database can store', () => {
  expect(recordedError(new Error('a\0b\ud800')).errorMessage).toBe('a\uFFFDb\uFFFD');
  expect(recordedError(new Error('x'.repeat(9_000))).errorMessage).toHaveLength(2_000);
  expect(recordedError('tok_1')).toEqual({
    errorName: 'string',
    errorMessage: 'Something that is not an error was thrown.',
  });
});

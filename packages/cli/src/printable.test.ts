import { expect, it } from 'vitest';
import { printable, printableLine } from './printable.js';

it('preserves text and line breaks and escapes terminal control characters', () => {
  expect(printable('{"note":"ä €"}\nline')).toBe('{"note":"ä €"}\nline');
  expect(printable('a\u001B[2Jb\r\u0007\u009Bc')).toBe('a\\u001b[2Jb\\u000d\\u0007\\u009bc');
});

it('escapes characters that reverse the direction of text or break lines', () => {
  expect(printable('a\u202Eb\u2066c\u2028d\u200Fe')).toBe('a\\u202eb\\u2066c\\u2028d\\u200fe');
  expect(printableLine('a\nb')).toBe('a\\nb');
});

it('does not change the meaning of JSON', () => {
  const value = { note: 'a\u009B[2J\u007F\u202E\u2028\t\n' };
  const text = printable(JSON.stringify(value, null, 2));
  expect(text).toBe('{\n  "note": "a\\u009b[2J\\u007f\\u202e\\u2028\\t\\n"\n}');
  expect(JSON.parse(text)).toEqual(value);
});

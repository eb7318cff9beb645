import { expect, it } from 'vitest';
import { printable } from './printable.js';

it('preserves text and line breaks and escapes terminal control characters', () => {
  expect(printable('{"note":"ä €"}\nline')).toBe('{"note":"ä €"}\nline');
  expect(printable('a\u001B[2Jb\r\u0007\u009Bc')).toBe('a\\u001b[2Jb\\u000d\\u0007\\u009bc');
});

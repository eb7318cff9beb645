import { expect, it } from 'vitest';
import { printable } from './printable.js';

it('lets text and lines through, and shows what would steer a terminal', () => {
  expect(printable('{"note":"ä €"}\nline')).toBe('{"note":"ä €"}\nline');
  expect(printable('a\u001B[2Jb\r\u0007\u009Bc')).toBe('a\\u001b[2Jb\\u000d\\u0007\\u009bc');
});

import { expect, it } from 'vitest';
import { visibleText } from './visible-text.js';

it.each([
  ['a\u202Eb', 'a⟨U+202E⟩b'],
  ['zero\u200Bwidth', 'zero⟨U+200B⟩width'],
  ['bell\u0007', 'bell⟨U+0007⟩'],
  ['line\u2028end', 'line⟨U+2028⟩end'],
  ['\uFEFFstart', '⟨U+FEFF⟩start'],
])('shows characters without a shape by their code: %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

it('leaves letters of all scripts, tabs and line feeds as they are', () => {
  const text = 'Grüße, שלום, مرحبا, 你好\n\t<b>&amp;</b>';
  expect(visibleText(text)).toBe(text);
});

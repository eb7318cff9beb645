import { runInThisContext } from 'node:vm';
import { expect, it } from 'vitest';
import { dataText, entriesText } from './data-text.js';

it('writes data as an expression that evaluates to it', () => {
  const data = { a: 1, 'b c': [true, null, 'x"y'], d: { e: {}, f: [] }, g: [{ h: 'x"y' }, { i: ['j'] }], k: null };
  const text = dataText(data, '');
  expect(runInThisContext(`((list) => (${text}))((...items) => items)`)).toEqual(data);
});

it('indents every line', () => {
  expect(dataText({ a: [{ b: 1 }], c: ['x', 2], d: {} }, '  ')).toBe(`{
    "a": list(
      {
        "b": 1,
      },
    ),
    "c": ["x", 2],
    "d": {},
  }`);
});

it('puts expressions into an object as it writes data', () => {
  expect(entriesText([['a b', dataText({ c: 1 }, '  ')]], '')).toBe(dataText({ 'a b': { c: 1 } }, ''));
  expect(entriesText([], '')).toBe('{}');
});

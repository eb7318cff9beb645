import { describe, expect, it } from 'vitest';
import { longestDecimal } from '../../json/index.js';
import {
  columnValue,
  columnValueOfText,
  compareCodePoints,
  compareColumnValues,
  isIndexableText,
  isPlainText,
  longestIndexedText,
  type ColumnValue,
} from './column-values.js';
import type { IndexedType } from './perspective-table.js';

const first = Date.parse('0001-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');
const types: readonly IndexedType[] = ['text', 'integer', 'number', 'decimal', 'boolean', 'timestamp'];

describe('the value of an indexed property', () => {
  it.each(types)('of the type %s is null if the model lacks it', (type) => {
    expect([columnValue('a', type, undefined), columnValue('a', type, null)]).toEqual([null, null]);
  });

  it.each<[IndexedType, unknown, ColumnValue]>([
    ['text', '', ''],
    ['text', '\u{1f600}', '\u{1f600}'],
    ['decimal', '-1.50', '-1.50'],
    ['boolean', false, false],
    ['boolean', true, true],
    ['integer', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['number', -1.5, -1.5],
    ['timestamp', new Date(first), first],
    ['timestamp', new Date(last), last],
    ['timestamp', '2024-02-29T12:00:00+01:00', Date.parse('2024-02-29T11:00:00Z')],
    ['timestamp', '0001-01-01T00:00:00Z', first],
    ['timestamp', '9999-12-31T23:59:59.999Z', last],
  ])('of the type %s can be %j', (type, raw, value) => {
    expect(columnValue('a', type, raw)).toBe(value);
  });

  it.each<[IndexedType, unknown]>([
    ['text', 'a\u0000b'],
    ['text', '\ud800'],
    ['text', 1],
    ['text', ['a']],
    ['text', { length: 1 }],
    ['decimal', 'one'],
    ['decimal', 1],
    ['decimal', ['1']],
    ['boolean', 'true'],
    ['boolean', 0],
    ['integer', 1.5],
    ['integer', Number.MAX_SAFE_INTEGER + 1],
    ['integer', '1'],
    ['number', Number.NaN],
    ['number', Infinity],
    ['number', '1'],
    ['timestamp', new Date(first - 1)],
    ['timestamp', new Date(last + 1)],
    ['timestamp', new Date(Number.NaN)],
    ['timestamp', '0000-12-31T23:59:59Z'],
    ['timestamp', 'yesterday'],
    ['timestamp', 0],
    ['timestamp', ['2024-02-29T12:00:00Z']],
  ])('of the type %s cannot be %j', (type, raw) => {
    expect(() => columnValue('amount', type, raw)).toThrow(
      expect.objectContaining({
        code: 'SVC_INVALID_VALUE',
        message: expect.stringContaining(`amount is indexed as ${type}`) as string,
      }),
    );
  });

  it.each<[IndexedType, string, number]>([
    ['text', 'x', longestIndexedText],
    ['decimal', '9', longestDecimal],
  ])('of the type %s can be long, up to a limit that the error names', (type, character, longest) => {
    const longestValue = character.repeat(longest);
    expect(columnValue('a', type, longestValue)).toBe(longestValue);
    expect(columnValueOfText(type, longestValue)).toBe(longestValue);
    expect(() => columnValue('a', type, `${longestValue}${character}`)).toThrow(`longer than ${longest} characters`);
    expect(columnValueOfText(type, `${longestValue}${character}`)).toBeUndefined();
  });
});

describe('the value that a caller wrote', () => {
  it.each<[IndexedType, string, ColumnValue | undefined]>([
    ['text', 'a', 'a'],
    ['text', '', ''],
    ['text', 'a\u0000', undefined],
    ['decimal', '1.50', '1.50'],
    ['decimal', '1e3', undefined],
    ['decimal', 'true', undefined],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['boolean', 'TRUE', undefined],
    ['boolean', '1', undefined],
    ['boolean', '', undefined],
    ['integer', '-12', -12],
    ['integer', '1e3', 1_000],
    ['integer', '1.5', undefined],
    ['integer', '9007199254740991', Number.MAX_SAFE_INTEGER],
    ['integer', '9007199254740992', undefined],
    ['number', '0', 0],
    ['number', '-1.5', -1.5],
    ['number', '1.5E+2', 150],
    ['number', '15e-1', 1.5],
    ['number', '1e999', undefined],
    ['number', '', undefined],
    ['number', ' 1', undefined],
    ['number', '1 ', undefined],
    ['number', '+1', undefined],
    ['number', '.5', undefined],
    ['number', '5.', undefined],
    ['number', '0x10', undefined],
    ['number', '1e', undefined],
    ['number', 'Infinity', undefined],
    ['timestamp', '2024-02-29T12:00:00Z', Date.parse('2024-02-29T12:00:00Z')],
    ['timestamp', '0000-12-31T00:00:00Z', undefined],
    ['timestamp', '1709208000000', undefined],
    ['timestamp', '2023-02-29T12:00:00Z', undefined],
  ])('as %s in %j is %j', (type, text, value) => {
    expect(columnValueOfText(type, text)).toBe(value);
  });
});

describe('a text', () => {
  it.each(['', 'a b', '\u{10ffff}', '\u0001'])('can be stored by every database: %j', (text) => {
    expect([isPlainText(text), isIndexableText(text)]).toEqual([true, true]);
  });

  it.each(['a\u0000', '\ud800', 'a\udc00b', '\udc00\ud800'])('cannot be stored by every database: %j', (text) => {
    expect([isPlainText(text), isIndexableText(text)]).toEqual([false, false]);
  });

  it('can be indexed up to 400 characters', () => {
    expect(longestIndexedText).toBe(400);
    expect([400, 401].map((length) => isIndexableText('x'.repeat(length)))).toEqual([true, false]);
    expect(isPlainText('x'.repeat(401))).toBe(true);
  });
});

describe('the order of a column', () => {
  it.each<[IndexedType, readonly ColumnValue[]]>([
    ['text', [null, '', 'B', 'a', 'ab', '\uffff', '\u{10000}']],
    ['decimal', [null, '-10', '-9.5', '0', '9', '10.5']],
    ['integer', [null, -10, -9, 0, 9, 10]],
    ['number', [null, -1.5, 0, 1.5]],
    ['boolean', [null, false, true]],
    ['timestamp', [null, -1, 0, 1]],
  ])('of the type %s starts with models without a value', (type, ascending) => {
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) {
        // The order of equal decimals may be -0.
        expect(Math.sign(compareColumnValues(type, a, b)) + 0, `${a} and ${b}`).toBe(Math.sign(i - j));
      }
    }
  });

  it('compares decimals by value', () => {
    expect(compareColumnValues('decimal', '1.0', '1.00')).toBe(0);
  });
});

describe('the order of texts', () => {
  // In the order of UTF-8: characters of two code units follow all others, although their first unit is smaller than some.
  const ascending = [
    '',
    'a',
    'ab',
    'b',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '\u{10000}',
    '\u{103ff}',
    '\u{10400}',
    '\u{10ffff}',
  ];

  it('is that of their code points', () => {
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) {
        expect(Math.sign(compareCodePoints(a, b)), `${a} and ${b}`).toBe(Math.sign(i - j));
        expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.from(a).compare(Buffer.from(b)));
      }
    }
  });
});

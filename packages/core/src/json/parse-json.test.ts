import { describe, expect, it } from 'vitest';
import { ValidationError } from '../errors/index.js';
import { Issues } from './issues.js';
import { parseJson } from './parse-json.js';
import { readDecimal, readInteger, readNumber } from './scalars.js';

it('reports that a text is not JSON, without quoting it', () => {
  expect(() => parseJson('{"password": "secret')).toThrow(
    expect.objectContaining({ code: 'SVC_MALFORMED_JSON', message: 'The text is not JSON.' }),
  );
});

it('reads a __proto__ key as a plain key that changes no prototype', () => {
  const value = parseJson('{"__proto__": {"admin": true}}') as { admin?: boolean };
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect(value.admin).toBeUndefined();
});

it('reports every string with half a surrogate pair', () => {
  const error = catchError(() =>
    parseJson('{"a": ["ok", "\\ud800"], "b/c": {"d": "x\\uDC00y"}, "pair": "\\ud83d\\ude00"}'),
  );
  expect(error).toBeInstanceOf(ValidationError);
  expect((error as ValidationError).issues.map(({ pointer }) => pointer).toSorted()).toEqual(['/a/1', '/b~1c/d']);
});

it('rejects half a surrogate pair in a key', () => {
  const error = catchError(() => parseJson('{"a":{"\\ud800": 1}}'));
  expect(error).toBeInstanceOf(ValidationError);
  expect((error as ValidationError).issues).toEqual([
    { pointer: '/a/\ufffd', detail: 'must not have half a surrogate pair in its key' },
  ]);
});

it('checks nesting that is deeper than the call stack', () => {
  const depth = 200_000;
  const text = `${'['.repeat(depth)}"\\ud83d\\ude00"${']'.repeat(depth)}`;
  expect(() => parseJson(text)).not.toThrow();
});

it('reports half a surrogate pair in very deep nesting once, with a short pointer', () => {
  const depth = 520_000;
  const strings = Array.from({ length: 100 }, () => String.raw`"\ud800"`).join(',');
  const error = catchError(() => parseJson(`${'['.repeat(depth)}${strings}${']'.repeat(depth)}`));
  expect((error as ValidationError).issues).toEqual([
    { pointer: '/0'.repeat(100), detail: 'must not contain half a surrogate pair' },
  ]);
});

it('parses any text of a mebibyte in bounded time', () => {
  const texts = [`{"a":"${'\\\\'.repeat(500_000)}","b":1.2345678901234567890}`, `{"a":${'1'.repeat(1_000_000)}}`];
  for (const text of texts) {
    const started = performance.now();
    parseJson(text);
    expect(performance.now() - started).toBeLessThan(2_000);
  }
});

describe('numbers', () => {
  const read = (reader: typeof readDecimal | typeof readInteger, text: string): unknown => {
    const root = parseJson(`{"value":${text}}`) as { value: unknown };
    const issues = new Issues(root);
    const value: unknown = reader(root.value, issues, 'value');
    return issues.count === 0 ? value : issues.list[0]?.detail;
  };
  const rejected = 'has more digits than a JSON number can carry; send it as a string';

  it.each([
    ['"123456789012345678901234567890.123456789"', '123456789012345678901234567890.123456789'],
    ['"-0.10"', '-0.10'],
    ['12.5', '12.5'],
    ['12.50', '12.5'],
    ['-3', '-3'],
    ['1e3', '1000'],
    ['1.5e-7', '0.00000015'],
    ['1e21', '1000000000000000000000'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['9007199254740993', rejected],
    ['0.1000000000000000055', rejected],
    ['123456789012345678901234567890', rejected],
    ['1e400', rejected],
    ['1e-400', rejected],
    ['1.0000000000000000000000000001', rejected],
    ['0.0000000000000000000000', '0'],
  ])('reads the decimal %s as %s', (text, expected) => {
    expect(read(readDecimal, text)).toBe(expected);
  });

  it.each(['"1e3"', '"abc"', '" 1"', '"1."', '".5"', '"01"', '"+1"', '"NaN"', '""', 'true', 'null', '[]'])(
    'rejects %s as a decimal',
    (text) => {
      expect(read(readDecimal, text)).toMatch(/^must be a decimal number/);
    },
  );

  it.each([
    ['9007199254740991', 9_007_199_254_740_991],
    ['-9007199254740991', -9_007_199_254_740_991],
    ['2.0', 2],
    ['9007199254740992', 'must be an integer between -9007199254740991 and 9007199254740991'],
    ['9007199254740990.6', 'must be an integer'],
    ['2.0000000000000000000001', 2],
    ['1.5', 'must be an integer'],
    ['"1"', 'must be an integer'],
    ['1e400', 'must be an integer'],
  ])('reads the integer %s as %s', (text, expected) => {
    expect(read(readInteger, text)).toBe(expected);
  });

  it.each([
    ['0.1', 0.1],
    ['3.14159265358979323846', Math.PI],
    ['1e300', 1e300],
    ['-1.5E-7', -1.5e-7],
    ['5e-324', 5e-324],
    ['5.0e-324', 5e-324],
    ['0.0', 0],
    ['9007199254740993', 'is an integer that a JSON number cannot carry exactly'],
    ['1e400', 'must be a number'],
  ])('reads the number %s as %s', (text, expected) => {
    expect(read(readNumber, text)).toBe(expected);
  });
});

function catchError(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

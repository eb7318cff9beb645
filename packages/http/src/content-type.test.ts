import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonInUtf8, longestHeader, readContentType } from './content-type.js';

describe('a content type', () => {
  it.each([
    ['application/json', 'application/json', []],
    ['Text/HTML;Charset=UTF-8', 'text/html', [['charset', 'UTF-8']]],
    ['a/b \t; c=d ;\te="f"', 'a/b', [['c', 'd'], ['e', 'f']]], // prettier-ignore
    ['a/b; c="d;e=\\"f\\\\"; g=h', 'a/b', [['c', 'd;e="f\\'], ['g', 'h']]], // prettier-ignore
    ['a/b; c=d; c=e', 'a/b', [['c', 'd'], ['c', 'e']]], // prettier-ignore
    ['a/b;; ;', 'a/b', []],
    ['a/b; c=""', 'a/b', [['c', '']]],
  ])('is read: %s', (header, mediaType, parameters) => {
    expect(readContentType(header)).toEqual({ mediaType, parameters });
  });

  it.each([
    '',
    'json',
    '/json',
    'application/',
    'application /json',
    'application/json, text/plain',
    'a/b; c',
    'a/b; c=',
    'a/b; c =d',
    'a/b; c= d',
    'a/b; c="d',
    'a/b; c="d\\',
    'a/b; c="d"e',
    'a/b; c=d e',
    'a/b c=d',
  ])('is rejected if it is malformed: %s', (header) => {
    expect(readContentType(header)).toBeNull();
  });

  it('is rejected unread if it exceeds the longest header', () => {
    const header = (length: number): string => `a/b;c=${'d'.repeat(length - 6)}`;
    expect(readContentType(header(longestHeader))).not.toBeNull();
    expect(readContentType(header(longestHeader + 1))).toBeNull();
  });

  it('returns every parameter with any value', () => {
    const name = fc.stringMatching(/^[a-z0-9-]{1,10}$/);
    const value = fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/\p{Cc}/gu, ' '));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 10 }), (parameters) => {
        const quoted = parameters.map(([key, text]) => `; ${key}="${text.replaceAll(/["\\]/g, '\\$&')}"`);
        expect(readContentType(`a/b${quoted.join('')}`)).toEqual({ mediaType: 'a/b', parameters });
      }),
    );
  });
});

it.each([
  ['application/json', true],
  ['Application/JSON; charset="UTF-8"', true],
  ['application/json; profile="x;charset=latin1"', true],
  ['application/json; charset=utf-8; charset=latin1', false],
  ['application/json; charset=utf-16', false],
  ['application/json; charset', false],
  ['application/problem+json', false],
  [undefined, false],
])('knows whether %s is JSON in UTF-8: %s', (header, expected) => {
  expect(isJsonInUtf8(header)).toBe(expected);
});

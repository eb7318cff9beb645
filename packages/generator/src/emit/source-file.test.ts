import { describe, expect, it } from 'vitest';
import { indented, quoted, SourceFile } from './source-file.js';

describe('a text as a string literal', () => {
  it.each([
    ['plain', `'plain'`],
    ['', `''`],
    ['say "yes"', `'say "yes"'`],
    [`it's`, `'it\\'s'`],
    ['a\\b', `'a\\\\b'`],
    ['a\\"b', `'a\\\\"b'`],
    ['two\nlines', `'two\\nlines'`],
    ['\u007f', `'\u007f'`],
    ['größer', `'größer'`],
    ['a\u2028b', `'a\\u2028b'`],
  ])('of %j', (text, literal) => {
    expect(quoted(text)).toBe(literal);
  });
});

describe('imports', () => {
  it('come from packages first, values before types, each name once', () => {
    const file = new SourceFile('shop/generated/buy.json');
    file.useTypeFrom('shop/buy', 'Buy');
    file.useFrom('shop/buy', 'Size');
    file.use('@svc/core/json', 'readString');
    file.useType('@svc/core', 'Uuid');
    file.useFrom('shop/buy', 'Size');
    file.useTypeFrom('shop/generated/buy.json', 'own');
    expect(file.text().split('\n').slice(1, -1)).toEqual([
      `import type { Uuid } from '@svc/core';`,
      `import { readString } from '@svc/core/json';`,
      `import { Size } from '../buy.js';`,
      `import type { Buy } from '../buy.js';`,
    ]);
  });

  it('of one name from two modules get different local names', () => {
    const file = new SourceFile('generated/registry');
    expect([file.useFrom('a', 'Buy'), file.useFrom('b', 'Buy'), file.useFrom('a', 'Buy')]).toEqual([
      'Buy',
      'Buy2',
      'Buy',
    ]);
    expect(file.text()).toContain(`import { Buy as Buy2 } from '../b.js';`);
  });

  it('are split over several lines when they are long', () => {
    const file = new SourceFile('generated/registry');
    for (const name of ['first', 'second', 'third']) file.use('@svc/core', name.padEnd(40, '_'));
    expect(file.text()).toMatch(/^import \{\n {2}first_+,\n {2}second_+,\n {2}third_+,\n\} from '@svc\/core';$/m);
  });

  it('lead into a folder with a space in its name', () => {
    const file = new SourceFile('generated/registry');
    file.useFrom('my shop/buy', 'Buy');
    expect(file.text()).toContain(`import { Buy } from '../my shop/buy.js';`);
  });
});

it('indents every line', () => {
  expect(indented('a\n  b\nc')).toBe('  a\n    b\n  c');
});

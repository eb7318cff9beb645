/** The documentation uses the terms of docs/reference/glossary.md, and none of the words that they replace. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findRejected } from './find-rejected.js';
import { notRewritten, pages, quotesOf, root } from './pages.js';
import { proseOf } from './prose.js';

const textOf = (page: string): string => readFileSync(new URL(page, root), 'utf8');
const isIn = (page: string, name: string): boolean => page === name || (name.endsWith('/') && page.startsWith(name));

it.each(pages.filter((page) => !notRewritten.some((name) => isIn(page, name))))('%s has no rejected word', (page) => {
  const found = findRejected(proseOf(textOf(page), quotesOf[page]));
  expect(found.map(({ word, line, instead }) => `${page}:${line}: "${word}", say: ${instead}`)).toEqual([]);
});

it('leaves out only pages and quotes that exist', () => {
  expect(notRewritten.filter((name) => !pages.some((page) => isIn(page, name)))).toEqual([]);
  for (const [page, quotes] of Object.entries(quotesOf)) {
    const text = textOf(page);
    expect(quotes.filter((quote) => text.match(quote) === null)).toEqual([]);
  }
});

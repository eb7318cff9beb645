import { expect, it } from 'vitest';
import { textsIn } from './texts.js';

it('finds the texts of at least three characters, at any depth', () => {
  expect(textsIn({ a: 'one', b: ['two', { c: 'three', d: 'no', e: 4, f: null }] }).toSorted()).toEqual([
    'one',
    'three',
    'two',
  ]);
  expect(textsIn('root')).toEqual(['root']);
  const deep: unknown = JSON.parse(`${'['.repeat(200_000)}"deep"${']'.repeat(200_000)}`);
  expect(textsIn(deep)).toEqual(['deep']);
});

import { expect, it } from 'vitest';
import { combinedSql, type CommitPart } from './commit-part.js';

const part = (name: string, lists: CommitPart['lists']): CommitPart => ({
  name,
  lists,
  sql: (...parameters) => ({
    rows: ` ${name} reads ${parameters.join()};`,
    refusals: ` ${name} refuses;`,
    writes: ` ${name} writes;`,
  }),
});

it('joins the pieces of parts in their order, and numbers their parameters after the first ones', () => {
  expect(combinedSql([part('a', ['keys', 'resolved']), part('b', []), part('c', ['steps'])], 4)).toEqual({
    rows: ' a reads $5,$6; b reads ; c reads $7;',
    refusals: ' a refuses; b refuses; c refuses;',
    writes: ' a writes; b writes; c writes;',
  });
});

it('adds nothing to a statement without parts', () => {
  expect(combinedSql([], 1)).toEqual({ rows: '', refusals: '', writes: '' });
});

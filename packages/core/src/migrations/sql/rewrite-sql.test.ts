import { describe, expect, it } from 'vitest';
import type { RewriteProgress } from '../migration-record.js';
import { progressAfter } from './rewrite-sql.js';

const definition = { table: 'orders', key: 'id', revision: 'revision', columns: [] };
const copying: RewriteProgress = {
  target: 'new',
  definition,
  phase: 'copy',
  copiedKey: 'c',
  revision: 5,
  revisionKey: null,
  rows: 10,
  startedAt: 17,
};
const catchingUp: RewriteProgress = { ...copying, phase: 'catchUp', revisionKey: 'x' };

describe('the progress of a copy', () => {
  it('is the last key after a full batch', () => {
    const copied = { rows: 3, key: 'f', revision: 9 };
    expect(progressAfter(copying, copied, 3)).toStrictEqual({ ...copying, copiedKey: 'f', rows: 13 });
  });

  it('begins to catch up after a batch that is not full, from the revision before the copy', () => {
    const copied = { rows: 2, key: 'e', revision: 9 };
    expect(progressAfter(copying, copied, 3)).toStrictEqual({ ...copying, phase: 'catchUp', copiedKey: 'e', rows: 12 });
  });

  it('retains the last key if there was no further row', () => {
    const none = { rows: 0, key: null, revision: 0 };
    expect(progressAfter(copying, none, 3)).toStrictEqual({ ...copying, phase: 'catchUp' });
  });
});

describe('the progress of catching up', () => {
  it.each([3, 2])('is the revision and the key of the last row, after %s of at most 3 rows', (rows) => {
    expect(progressAfter(catchingUp, { rows, key: 'f', revision: 9 }, 3)).toStrictEqual({
      ...catchingUp,
      revision: 9,
      revisionKey: 'f',
      rows: 10 + rows,
    });
  });

  it('does not change if no row was written', () => {
    expect(progressAfter(catchingUp, { rows: 0, key: null, revision: 0 }, 3)).toBe(catchingUp);
  });
});

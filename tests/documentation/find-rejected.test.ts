import { describe, expect, it } from 'vitest';
import { findRejected } from './find-rejected.js';
import { proseOf } from './prose.js';

const wordsIn = (text: string): string[] => findRejected(text).map(({ word, line }) => `${line} ${word}`);

describe('findRejected', () => {
  it('returns each rejected word with its line and what to say instead', () => {
    expect(findRejected('Fix the code.\nMend the code.')).toEqual([{ word: 'mend', line: 2, instead: 'fix' }]);
  });

  it('returns words in the order of the text', () => {
    expect(wordsIn('Meanwhile it mends,\nand nobody knows.')).toEqual(['1 meanwhile', '1 mends', '2 nobody']);
  });

  it('finds a phrase that continues on the next line, and names its first line', () => {
    expect(wordsIn('One.\nIt was put\naside.')).toEqual(['2 put aside']);
  });

  it('finds whole words only', () => {
    expect(wordsIn('Besides, an amendment and a mend-it-yourself kit.')).toEqual([]);
  });

  it('allows a word where it has its ordinary meaning', () => {
    expect(wordsIn('It is kept open and stands for a host.')).toEqual([]);
    expect(wordsIn('It is kept, and kept open.')).toEqual(['1 kept']);
  });
});

describe('proseOf', () => {
  it('leaves out code, link targets and quotes, and leaves every line where it is', () => {
    const page = [
      'See [it](../decisions/0036-table-copies-and-event-replays.md#anew) and `keptAnew`.',
      '```ts',
      'const nobody = 1;',
      '```',
      '| `A` | Somebody else. |',
      'Somebody.',
    ].join('\n');
    expect(wordsIn(proseOf(page, [/^\| `A` .*$/gm]))).toEqual(['6 somebody']);
  });

  it('does not leave out the next paragraph after a backtick without its pair', () => {
    expect(wordsIn(proseOf('A ` alone.\n\nNobody ` reads.'))).toEqual(['3 nobody']);
  });
});

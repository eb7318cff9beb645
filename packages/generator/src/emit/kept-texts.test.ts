import { beforeEach, expect, it } from 'vitest';
import { KeptTexts } from './kept-texts.js';

const names = new Map<string, string>();
let texts: KeptTexts;
let writes: number;

beforeEach(() => {
  texts = new KeptTexts();
  writes = 0;
  names.clear();
  names.set('a', 'Ann').set('b', 'Bob');
});

/** Asks for a text in an emission of its own. */
function next(from: readonly unknown[], ...ids: readonly string[]): string {
  texts.startEmission();
  return greet('greeting', from, ids);
}

function greet(key: string, from: readonly unknown[], ids: readonly string[]): string {
  return texts.get(
    key,
    from,
    (id) => names.get(id),
    (lookUp) => {
      writes++;
      return `${from.join('')} ${ids.map(lookUp).join(' and ')}`;
    },
  );
}

it('keeps a text while everything it was written from stays', () => {
  expect(next(['Dear'], 'a', 'b')).toBe('Dear Ann and Bob');
  names.set('c', 'Cleo');
  expect(next(['Dear'], 'a', 'b')).toBe('Dear Ann and Bob');
  expect(writes).toBe(1);
});

it('writes it again when a part is another one, is gone or is new', () => {
  next(['Dear'], 'a');
  expect(next(['Hello'], 'a')).toBe('Hello Ann');
  expect(next(['Hello', '!'], 'a')).toBe('Hello! Ann');
  expect(next(['Hello'], 'a')).toBe('Hello Ann');
});

it('writes it again when what was looked up is another one, or is gone', () => {
  next(['Dear'], 'a', 'b');
  names.set('b', 'Ben');
  expect(next(['Dear'], 'a', 'b')).toBe('Dear Ann and Ben');
  names.delete('a');
  expect(next(['Dear'], 'a', 'b')).toBe('Dear  and Ben');
});

it('takes an equal object for another one', () => {
  next([{}]);
  next([{}]);
  expect(writes).toBe(2);
});

it('keeps texts apart by their keys', () => {
  texts.startEmission();
  expect([greet('one', ['Dear'], ['a']), greet('two', ['Dear'], ['b'])]).toEqual(['Dear Ann', 'Dear Bob']);
  texts.startEmission();
  expect([greet('one', ['Dear'], ['a']), greet('two', ['Dear'], ['b'])]).toEqual(['Dear Ann', 'Dear Bob']);
  expect(writes).toBe(2);
});

it('forgets what an emission did not ask for', () => {
  next(['Dear'], 'a');
  texts.startEmission();
  next(['Dear'], 'a');
  expect(writes).toBe(2);
});

import { beforeEach, expect, it } from 'vitest';
import { TextCache } from './text-cache.js';

const names = new Map<string, string>();
let texts: TextCache;
let writes: number;

beforeEach(() => {
  texts = new TextCache();
  writes = 0;
  names.clear();
  names.set('a', 'Ann').set('b', 'Bob');
});

/** Requests a text in a separate emission. */
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

it('caches a text while its inputs are unchanged', () => {
  expect(next(['Dear'], 'a', 'b')).toBe('Dear Ann and Bob');
  names.set('c', 'Cleo');
  expect(next(['Dear'], 'a', 'b')).toBe('Dear Ann and Bob');
  expect(writes).toBe(1);
});

it('writes it again when an input is changed, removed or added', () => {
  next(['Dear'], 'a');
  expect(next(['Hello'], 'a')).toBe('Hello Ann');
  expect(next(['Hello', '!'], 'a')).toBe('Hello! Ann');
  expect(next(['Hello'], 'a')).toBe('Hello Ann');
});

it('writes it again when a looked-up type is changed or removed', () => {
  next(['Dear'], 'a', 'b');
  names.set('b', 'Ben');
  expect(next(['Dear'], 'a', 'b')).toBe('Dear Ann and Ben');
  names.delete('a');
  expect(next(['Dear'], 'a', 'b')).toBe('Dear  and Ben');
});

it('compares inputs by identity', () => {
  next([{}]);
  next([{}]);
  expect(writes).toBe(2);
});

it('separates texts by key', () => {
  texts.startEmission();
  expect([greet('one', ['Dear'], ['a']), greet('two', ['Dear'], ['b'])]).toEqual(['Dear Ann', 'Dear Bob']);
  texts.startEmission();
  expect([greet('one', ['Dear'], ['a']), greet('two', ['Dear'], ['b'])]).toEqual(['Dear Ann', 'Dear Bob']);
  expect(writes).toBe(2);
});

it('drops texts that an emission did not request', () => {
  next(['Dear'], 'a');
  texts.startEmission();
  next(['Dear'], 'a');
  expect(writes).toBe(2);
});

import { expect, it } from 'vitest';
import { around } from './around.js';

class Base {
  #count = 0;
  readonly own = (): number => this.#count;

  add(): number {
    return ++this.#count;
  }

  get count(): number {
    return this.#count;
  }
}

class Part extends Base {
  known?: () => void;

  twice(): number {
    this.add();
    return this.add();
  }
}

it('passes every member through, including methods of base classes and private state', () => {
  const inner = new Part();
  const outer = around(inner, {});
  expect([outer.add(), outer.twice(), outer.count, outer.own(), inner.count]).toEqual([1, 3, 3, 3, 3]);
});

it('replaces members by changes of the same name, for calls from outside', () => {
  const inner = new Part();
  const outer = around(inner, { add: () => 100 + inner.add() });
  expect([outer.add(), outer.twice(), outer.count]).toEqual([101, 3, 3]);
});

it('has no member that the inner object lacks, such as an absent capability', () => {
  expect(around(new Part(), {}).known).toBeUndefined();
});

it('passes capabilities through, except the one that a change wraps', () => {
  const inner = { one: new Part(), other: new Part() };
  const outer = around(inner, { one: around(inner.one, { add: () => 100 + inner.one.add() }) });
  expect([outer.one.add(), outer.one.twice(), outer.other.add()]).toEqual([101, 3, 1]);
  expect(outer.other).toBe(inner.other);
});

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

it('has everything that is inside, methods of base classes and private state among them', () => {
  const inner = new Part();
  const outer = around(inner, {});
  expect([outer.add(), outer.twice(), outer.count, outer.own(), inner.count]).toEqual([1, 3, 3, 3, 3]);
});

it('puts changes in the place of what they are named after, for those who call from outside', () => {
  const inner = new Part();
  const outer = around(inner, { add: () => 100 + inner.add() });
  expect([outer.add(), outer.twice(), outer.count]).toEqual([101, 3, 3]);
});

it('lacks what is lacking inside: an absent capability is a promise, too', () => {
  expect(around(new Part(), {}).known).toBeUndefined();
});

it('has the capabilities that are inside as they are, and a wrapped one in the place of its own', () => {
  const inner = { one: new Part(), other: new Part() };
  const outer = around(inner, { one: around(inner.one, { add: () => 100 + inner.one.add() }) });
  expect([outer.one.add(), outer.one.twice(), outer.other.add()]).toEqual([101, 3, 1]);
  expect(outer.other).toBe(inner.other);
});

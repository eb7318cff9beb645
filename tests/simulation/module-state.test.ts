/** How simulated processes that run the same code have their own module variables. */
import { runInThisContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ModuleState, withState, type ModuleVariables } from '../../tools/simulation/index.mjs';

const text = `
const limit = 10;
const names = new Map();
let count = limit;
function next() {
  names.set(count, 'name');
  return [count++, names.size];
}
`;

function load(): { next: () => number[]; modules: ModuleVariables[] } {
  const modules: ModuleVariables[] = [];
  const create = runInThisContext(`(moduleStates) => {${withState(text)}\nreturn next;\n}`) as (
    states: ModuleVariables[],
  ) => () => number[];
  return { next: create(modules), modules };
}

it('gives each process the first values of variables and collections, and its own ones when it continues', () => {
  const { next, modules } = load();
  next();
  const [first, second] = [new ModuleState(modules), new ModuleState(modules)];
  first.enter();
  expect([next(), next()]).toEqual([
    [10, 1],
    [11, 2],
  ]);
  first.leave();
  second.enter();
  expect(next()).toEqual([10, 1]);
  second.leave();
  first.enter();
  expect(next()).toEqual([12, 3]);
});

it('leaves a module without variables as it is', () => {
  expect(withState("const words = new Set(['a']);\n")).toBe("const words = new Set(['a']);\n");
});

it.each(['let values = [\n  1,\n];\n', 'export let count = 0;\n'])(
  'rejects a variable that it cannot exchange: %j',
  (module) => {
    expect(() => withState(module)).toThrow('cannot be exchanged between processes');
  },
);

import { describe, expect, it } from 'vitest';
import type { HookModel } from '../model/index.js';
import { ts } from './compiler.js';
import { readHooks } from './endpoint-hooks.js';

/** What is read of a class and its bases, each given by its members. */
function hooksOf(...classes: readonly string[]): HookModel[] {
  return readHooks(classes.map((members) => classNode(`class Custom extends Base {\n${members}\n}`)));
}

function classNode(text: string): ts.ClassLikeDeclaration {
  return ts.createSourceFile('custom.ts', text, ts.ScriptTarget.ES2022).statements.find(ts.isClassDeclaration)!;
}

it('lists the hooks that a class overrides, in the order of the lifecycle', () => {
  const members = `
    override onError() { return null; }
    override onAfterExecute(command: unknown, result: unknown, context: unknown, signal: AbortSignal) {}
    override onBeforeExecute(command: unknown, context: unknown, signal: AbortSignal) {}
    override dispatchCommand(command: never, signal: AbortSignal) { return super.dispatchCommand(command, signal); }
    total() {}`;
  expect(hooksOf(members)).toEqual([
    { name: 'onBeforeExecute', takesSignal: true },
    { name: 'dispatchCommand', takesSignal: true },
    { name: 'onAfterExecute', takesSignal: true },
    { name: 'onError', takesSignal: false },
  ]);
});

describe('a hook takes no signal', () => {
  it.each([
    ['without parameters', 'override onBeforeExecute() {}'],
    ['that declares fewer parameters', 'override async onBeforeExecute(command: unknown, context: unknown) {}'],
    ['with a default before the signal', 'override onBeforeExecute(command: unknown, context = 1) {}'],
    ['that destructures its command', 'override onBeforeExecute({ a }: { a: number }) {}'],
    ['whose name is a string', "override 'onBeforeExecute'() {}"],
    ['with an overload', 'override onBeforeExecute(...all: unknown[]): void; override onBeforeExecute() {}'],
  ])('%s', (_what, member) => {
    expect(hooksOf(member)).toEqual([{ name: 'onBeforeExecute', takesSignal: false }]);
  });
});

describe('a hook takes the signal', () => {
  it.each([
    ['that declares it', 'override onBeforeExecute(command: unknown, context: unknown, signal?: AbortSignal) {}'],
    ['with a rest', 'override onBeforeExecute(...all: unknown[]) {}'],
    ['with a rest after its command', 'override onBeforeExecute(command: unknown, ...rest: unknown[]) {}'],
    ['that uses arguments', 'override onBeforeExecute() { console.log(arguments); }'],
    ['that uses arguments in an arrow function', 'override onBeforeExecute() { return () => arguments[2]; }'],
    ['that is a property', 'override onBeforeExecute = () => {};'],
    ['that is an accessor', 'override get onBeforeExecute() { return () => {}; }'],
    ['with a decorator', '@logged override onBeforeExecute() {}'],
  ])('%s', (_what, member) => {
    expect(hooksOf(member)).toEqual([{ name: 'onBeforeExecute', takesSignal: true }]);
  });
});

it('reads the hooks of classes between the endpoint and the generated class, the nearest first', () => {
  const between = `
    override onBeforeExecute(command: unknown, context: unknown, signal: AbortSignal) {}
    override onAfterExecute(command: unknown, result: unknown, context: unknown, signal: AbortSignal) {}`;
  expect(hooksOf('override onBeforeExecute() {}', between)).toEqual([
    { name: 'onBeforeExecute', takesSignal: false },
    { name: 'onAfterExecute', takesSignal: true },
  ]);
});

it('does not take a static method for a hook', () => {
  expect(hooksOf('static onBeforeExecute() {}')).toEqual([]);
});

describe('lists no hook if the source does not show which are overridden', () => {
  it('with a name that is computed', () => {
    expect(hooksOf('[name]() {}\noverride onAfterExecute() {}')).toEqual([]);
  });

  it('with a decorator that may replace the class', () => {
    expect(readHooks([classNode('@replaced class Custom extends Base { onAfterExecute() {} }')])).toEqual([]);
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { imports, ServiceFixture } from './testing/service-fixture.js';

const fixture = new ServiceFixture({});
afterAll(() => fixture[Symbol.dispose]());

function lenientTypes(source: string): string[] {
  fixture.replaceSources({ 'src/orders.ts': imports + source });
  const { model, diagnostics } = fixture.analyze();
  expect(diagnostics).toEqual([]);
  return model.types.filter(({ type }) => type.kind === 'object' && type.isLenient === true).map(({ name }) => name);
}

const receptor = 'export class R implements Receptor<Pay> { receive() {} }\n';

describe('lenient', () => {
  it.each([
    ['a decorator', '@lenient export class Pay implements Command { a!: string }\n'],
    ['a call in the module of the class', 'export class Pay implements Command { a!: string }\nlenient(Pay);\n'],
  ])('is read as %s', (_title, source) => {
    expect(lenientTypes(source + receptor)).toEqual(['Pay']);
  });

  it('covers the object types inside of a class, and not other classes', () => {
    const source = `
      export class Strict { a!: string }
      @lenient export class Loose { a!: string }
      @lenient export class Pay implements Command { strict!: Strict; loose!: Loose; inner!: { parts: { a: string }[] } }
    `;
    expect(lenientTypes(source + receptor).toSorted()).toEqual(['Loose', 'Pay']);
    const pay = fixture.analyze().model.types.find(({ name }) => name === 'Pay');
    expect(JSON.stringify(pay!.type).match(/"isLenient":true/g)).toHaveLength(3);
  });

  it('does nothing if another function has its name', () => {
    const source = `
      const other = { lenient(_target: unknown, _context?: unknown): void {} };
      @other.lenient export class Pay implements Command { a!: string }
    `;
    expect(lenientTypes(source + receptor)).toEqual([]);
  });
});

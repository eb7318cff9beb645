import { afterAll, describe, expect, it } from 'vitest';
import { defaultCodes } from '../diagnostics/default-codes.js';
import { testDiagnostics, type DiagnosticCase } from './testing/diagnostic-case.js';
import { imports, ServiceFixture } from './testing/service-fixture.js';

const cases: readonly DiagnosticCase[] = [
  ...(
    [
      ['Int & Min<1> = /*!*/0', '0', 'Min<1>'],
      ['Int = /*!*/1.5', '1.5', 'Int'],
      ['number & Max<-1> = /*!*/smallest', '0', 'Max<-1>'],
      ["string & MinLength<3> = /*!*/'😀😀'", "'😀😀'", 'MinLength<3>'],
      ["string & MaxLength<1> = /*!*/('ab' as string)", "'ab'", 'MaxLength<1>'],
      ["string & Pattern<'^[A-Z]+$'> = /*!*/`a`", "'a'", "Pattern<'^[A-Z]+$'>"],
      ["Decimal & Min<1> = /*!*/'0.99' as Decimal", '0.99', 'Min<1>'],
      ['(Int & Max<9>) | null = /*!*/10', '10', 'Max<9>'],
      ['string[] & MinItems<1> = /*!*/[]', '[]', 'MinItems<1>'],
      ['string[] & MaxItems<1> = /*!*/["a", "b"]', 'of 2 items', 'MaxItems<1>'],
      ['(Int & Min<1>)[] = /*!*/[1, 0]', '0', 'Min<1>'],
      ["Set<string> & MinItems<2> = /*!*/new Set(['a', 'a'])", 'of 1 item', 'MinItems<2>'],
      ["[string, Int & Min<1>] = /*!*/['a', 0]", '0', 'Min<1>'],
    ] as const
  ).map(([property, value, constraint]) => ({
    code: 'SVC1050' as const,
    title: `the default of ${property.replace('/*!*/', '')}`,
    source: `const smallest = 0;\nexport class CreateOrder implements Command { bad: ${property} }\n`,
    names: `CreateOrder.bad has the default ${value}`,
    fix: `violates ${constraint}. Defaults are not validated when the property is omitted. Change the default`,
  })),
  {
    code: 'SVC1050',
    title: 'the default of a parameter property',
    source: 'export class CreateOrder implements Command { constructor(readonly weeks: Int & Min<1> = /*!*/-1) {} }\n',
    names: 'CreateOrder.weeks has the default -1',
    fix: 'Change the default or the constraint',
  },
];

describe('a default value', () => {
  testDiagnostics(cases, defaultCodes);

  const fixture = new ServiceFixture({});
  afterAll(() => fixture[Symbol.dispose]());

  it('is accepted at its bounds, and if its value is unknown', () => {
    const properties = [
      'Int & Min<1> & Max<1> = 1',
      'number & Min<-1> = -1',
      "string & MinLength<2> & MaxLength<2> = '😀😀'",
      "string & Pattern<'^[A-Z]+$'> = 'A'",
      "Decimal & Min<1> = '1.000' as Decimal",
      '(Int & Min<1>) | null = null',
      "string[] & MinItems<1> & MaxItems<2> = ['a', 'b']",
      "Set<string> & MaxItems<1> = new Set(['a', 'a'])",
      'string[] & MaxItems<0> = [...some]',
      'Set<string> & MinItems<1> = new Set(some)',
      'Int & Min<1> = some.length',
      'Int & Min<1> = Number(some[0])',
      'string & MinLength<9> = `a${some.length}`',
      'Uuid = newId()',
      'Date = new Date(0)',
    ].map((property, i) => `p${i}: ${property};`);
    fixture.replaceSources({
      'src/a.ts': `${imports}const some: string[] = [];\nexport class Create implements Command {\n${properties.join('\n')}\n}\n`,
    });
    expect(fixture.analyze().diagnostics).toEqual([]);
  });

  it('is known as far as the source shows it, unless it is secret or personal', () => {
    fixture.replaceSources({
      'src/a.ts': `${imports}const most = 9;
        const some: string[] = [];
        export class Create implements Command {
          text = 'a';
          negative: number = -1.5;
          isOpen: boolean = false;
          none: string | null = null;
          limit: number = most;
          list: (string | null)[] = ['a', null];
          kinds: Set<string> = new Set(['a', 'a']);
          made: string[] = [...some];
          partly: string[] = ['a', String(some[0])];
          at: Date = new Date(0);
          id: Uuid = newId();
          codes: (string & Secret)[] = [];
          name: (string & Personal<'id'>) | null = null;
          required!: string;
        }\n`,
    });
    const { model, diagnostics } = fixture.analyze();
    expect(diagnostics).toEqual([]);
    const { type } = model.types.find(({ name }) => name === 'Create')!;
    const defaults = type.kind === 'object' ? type.properties.filter((property) => 'default' in property) : [];
    expect(Object.fromEntries(defaults.map(({ name, default: value }) => [name, value]))).toEqual({
      text: 'a',
      negative: -1.5,
      isOpen: false,
      none: null,
      limit: 9,
      list: ['a', null],
      kinds: ['a'],
    });
  });
});

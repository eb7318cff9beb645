/** Random message types: each knows how it is written in TypeScript and what values it has. */
import * as fc from 'fast-check';

type Scalar = 'string' | 'number' | 'boolean';

export interface RandomType {
  /** Writes the type, declaring what it needs to name. */
  readonly text: (declare: Declare) => string;
  readonly values: fc.Arbitrary<unknown>;
  /** Which JSON kind its values have, when that is one. */
  readonly kind: Scalar | 'array' | 'object' | 'any';
}

/** Declares a named type: takes `(name) => declaration`, answers with the name. */
export type Declare = (prefix: string, declaration: (name: string) => string) => string;

export interface RandomField {
  readonly name: string;
  readonly type: RandomType;
  readonly presence: 'required' | 'optional';
}

const nastyNames =
  'value issues start keyCount result default class readString itemsWithin new type toString hasOwnProperty valueOf content-type 1x it\'s back\\slash ünï ~/ "'
    .split(' ')
    .concat('a b', '');
const fieldNames = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,8}$/) },
  { weight: 1, arbitrary: fc.constantFrom(...nastyNames) },
);

const scalar = (text: string, kind: Scalar, values: fc.Arbitrary<unknown>): RandomType => ({
  text: () => text,
  values,
  kind,
});

const strings = (min?: number, max?: number): fc.Arbitrary<string> =>
  fc.string({
    unit: 'binary',
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
  });

const bounds = fc.tuple(fc.nat(5), fc.nat(20)).map(([least, more]) => [least, least + more] as const);

const stringTypes: fc.Arbitrary<RandomType> = fc.oneof(
  fc.constant(scalar('string', 'string', strings())),
  fc.constant(scalar('Uuid', 'string', fc.uuid())),
  fc.constant(scalar('Decimal', 'string', fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,20})?$/))),
  fc.constant(scalar("string & Pattern<'^[A-Z]{2}/[0-9]+$'>", 'string', fc.stringMatching(/^[A-Z]{2}\/[0-9]+$/))),
  fc.constant(scalar("string & Format<'email'>", 'string', fc.stringMatching(/^[a-z]{1,9}@[a-z]{1,9}\.[a-z]{2,4}$/))),
  fc.constant(scalar("string & { readonly __brand: 'Own' }", 'string', strings())),
  bounds.map(([min, max]) => scalar(`string & MinLength<${min}> & MaxLength<${max}>`, 'string', strings(min, max))),
  fc.uniqueArray(strings(0, 8), { minLength: 1, maxLength: 4 }).map((values) => literals(values, 'string')),
  fc.constant({
    text: (declare: Declare) => declare('Enum', (name) => `export enum ${name} { A = 'a', B = 'b c' }`),
    values: fc.constantFrom('a', 'b c'),
    kind: 'string' as const,
  }),
);

const noMinusZero = (value: number): number => value + 0;

const numberTypes: fc.Arbitrary<RandomType> = fc.oneof(
  fc.constant(scalar('number', 'number', fc.double({ noNaN: true, noDefaultInfinity: true }).map(noMinusZero))),
  fc.constant(scalar('Int', 'number', fc.maxSafeInteger())),
  bounds.map(([min, max]) => scalar(`Int & Min<${min}> & Max<${max}>`, 'number', fc.integer({ min, max }))),
  fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 4 }).map((values) => literals(values, 'number')),
);

const dates = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});

/** What a set can hold: values that are equal when they look equal. */
const setItems: fc.Arbitrary<RandomType> = fc.oneof(stringTypes, numberTypes);

const scalarTypes: fc.Arbitrary<RandomType> = fc.oneof(
  { weight: 3, arbitrary: stringTypes },
  { weight: 2, arbitrary: numberTypes },
  fc.constant(scalar('boolean', 'boolean', fc.boolean())),
  fc.constant(scalar('Date', 'string', dates)),
);

const json: RandomType = {
  text: () => 'unknown',
  values: fc
    .jsonValue({ maxDepth: 3 })
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
    .filter((value) => !/"(__proto__|constructor)":/.test(JSON.stringify(value))),
  kind: 'any',
};

/** Any JSON, as a recursive alias. */
const jsonAlias: RandomType = {
  text: (declare) =>
    declare(
      'Json',
      (name) => `export type ${name} = string | number | boolean | null | ${name}[] | { [key: string]: ${name} };`,
    ),
  values: json.values,
  kind: 'any',
};

const recordKeys = fc
  .string({ unit: 'binary', maxLength: 8 })
  .filter((key) => key !== '__proto__' && key !== 'constructor');

/** A type that contains itself. */
const tree: RandomType = {
  text: (declare) =>
    declare(
      'Tree',
      (name) => `export interface ${name} { label: string; children: ${name}[]; parent?: ${name} | null }`,
    ),
  values: fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.record({ label: strings(0, 5), children: fc.constant([]) }, { noNullPrototype: true }),
      fc.record(
        { label: strings(0, 5), children: fc.array(tie('tree'), { maxLength: 2 }), parent: fc.option(tie('tree')) },
        { requiredKeys: ['label', 'children'], noNullPrototype: true },
      ),
    ),
  })).tree,
  kind: 'object',
};

export const randomTypes: fc.Arbitrary<RandomType> = fc.letrec<{ type: RandomType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 6, arbitrary: scalarTypes },
    { weight: 1, arbitrary: fc.constantFrom(json, jsonAlias, tree) },
    { weight: 1, arbitrary: tie('type').filter(isNotAny).map(nullable) },
    { weight: 1, arbitrary: tie('type').filter(isNotAny).map(maybe) },
    { weight: 2, arbitrary: fc.tuple(tie('type'), bounds, fc.boolean()).map(array) },
    { weight: 1, arbitrary: setItems.map(set) },
    { weight: 1, arbitrary: fc.array(tie('type'), { minLength: 1, maxLength: 3 }).map(tuple) },
    { weight: 1, arbitrary: tie('type').map(record) },
    {
      weight: 3,
      arbitrary: fc.tuple(fields(tie('type')), fc.constantFrom('inline', 'interface', 'alias')).map(object),
    },
    { weight: 1, arbitrary: fc.array(fields(tie('type')), { minLength: 2, maxLength: 3 }).map(tagged) },
    { weight: 1, arbitrary: fc.array(tie('type').filter(isNotAny), { minLength: 2, maxLength: 3 }).map(union) },
  ),
})).type;

export function fields(type: fc.Arbitrary<RandomType>, minLength = 1): fc.Arbitrary<RandomField[]> {
  const presence = fc.constantFrom<RandomField['presence'][]>('required', 'required', 'optional');
  return fc.uniqueArray(fc.record({ name: fieldNames, type, presence }), {
    selector: ({ name }) => name,
    minLength,
    maxLength: 6,
  });
}

export function fieldValues(list: readonly RandomField[]): fc.Arbitrary<Record<string, unknown>> {
  const model = Object.fromEntries(list.map(({ name, type }) => [name, type.values]));
  const requiredKeys = list.filter(({ presence }) => presence === 'required').map(({ name }) => name);
  return fc.record(model, { requiredKeys, noNullPrototype: true });
}

export function fieldsText(list: readonly RandomField[], declare: Declare, mark: string): string {
  return list
    .map(({ name, type, presence }) => `${quote(name)}${presence === 'optional' ? '?' : mark}: ${type.text(declare)};`)
    .join(' ');
}

function literals(values: readonly (string | number)[], kind: 'string' | 'number'): RandomType {
  const texts = values.map((value) => (typeof value === 'string' ? quote(value) : String(value)));
  return scalar(texts.join(' | '), kind, fc.constantFrom(...values));
}

function isNotAny(type: RandomType): boolean {
  return type.kind !== 'any';
}

function nullable(type: RandomType): RandomType {
  return { text: (declare) => `(${type.text(declare)}) | null`, values: fc.option(type.values), kind: 'any' };
}

function maybe(type: RandomType): RandomType {
  const text = (declare: Declare): string => {
    const inside = type.text(declare);
    return declare('Maybe', (name) => `export type ${name} = (${inside}) | null;`);
  };
  return { text, values: fc.option(type.values), kind: 'any' };
}

function array([items, [min, max], bounded]: [RandomType, readonly [number, number], boolean]): RandomType {
  const limits = bounded ? { minLength: min, maxLength: max } : { maxLength: 5 };
  const text = (declare: Declare): string =>
    `(${items.text(declare)})[]${bounded ? ` & MinItems<${min}> & MaxItems<${max}>` : ''}`;
  return { text, values: fc.array(items.values, limits), kind: 'array' };
}

function set(items: RandomType): RandomType {
  const values = fc.array(items.values, { maxLength: 5 }).map((list) => new Set(list));
  return { text: (declare) => `Set<${items.text(declare)}>`, values, kind: 'array' };
}

function tuple(items: readonly RandomType[]): RandomType {
  return {
    text: (declare) => `[${items.map((item) => item.text(declare)).join(', ')}]`,
    values: fc.tuple(...items.map((item) => item.values)),
    kind: 'array',
  };
}

function record(values: RandomType): RandomType {
  return {
    text: (declare) => `Record<string, ${values.text(declare)}>`,
    values: fc.dictionary(recordKeys, values.values, { maxKeys: 4, noNullPrototype: true }),
    kind: 'object',
  };
}

function object([list, style]: [RandomField[], string]): RandomType {
  const text = (declare: Declare): string => {
    if (style === 'inline') return `{ ${fieldsText(list, declare, '')} }`;
    // A named type declares what it uses before itself.
    const inside = fieldsText(list, declare, '');
    return style === 'interface'
      ? declare('Interface', (name) => `interface ${name} { ${inside} }`)
      : declare('Alias', (name) => `export type ${name} = { ${inside} };`);
  };
  return { text, values: fieldValues(list), kind: 'object' };
}

function tagged(arms: readonly RandomField[][]): RandomType {
  const withTag = arms.map((list, i): RandomField[] => [
    { name: 'tag', type: literals([`arm ${i}`], 'string'), presence: 'required' },
    ...list.filter(({ name }) => name !== 'tag'),
  ]);
  return {
    text: (declare) => withTag.map((list) => `{ ${fieldsText(list, declare, '')} }`).join(' | '),
    values: fc.oneof(...withTag.map(fieldValues)),
    kind: 'object',
  };
}

/** Arms of different JSON kinds; what would be ambiguous is left out. */
function union(candidates: readonly RandomType[]): RandomType {
  const arms = candidates.filter((arm, i) => candidates.findIndex(({ kind }) => kind === arm.kind) === i);
  return {
    text: (declare) => arms.map((arm) => `(${arm.text(declare)})`).join(' | '),
    values: fc.oneof(...arms.map((arm) => arm.values)),
    kind: arms.length === 1 ? arms[0]!.kind : 'any',
  };
}

export function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnostic } from '../diagnostics/index.js';
import type { NamedType, PropertyModel, TypeModel } from '../model/index.js';
import { imports, ServiceFixture } from './testing/service-fixture.js';

const string: TypeModel = { kind: 'string' };
const number: TypeModel = { kind: 'number', integer: false };
const boolean: TypeModel = { kind: 'boolean' };
const uuid: TypeModel = { kind: 'string', format: 'uuid' };
const literal = (...values: (string | number | boolean)[]): TypeModel => ({ kind: 'literal', values });
const array = (items: TypeModel): TypeModel => ({ kind: 'array', items });
const nullable = (type: TypeModel): TypeModel => ({ kind: 'nullable', type });
const record = (values: TypeModel): TypeModel => ({ kind: 'record', values });
const ref = (name: string): TypeModel => ({ kind: 'ref', id: `types#${name}` });
const object = (properties: Record<string, TypeModel>): TypeModel => ({
  kind: 'object',
  properties: Object.entries(properties).map(([name, type]) =>
    property(name.replace('?', ''), type, name.endsWith('?')),
  ),
});
const property = (name: string, type: TypeModel, isOptional = false): PropertyModel => ({
  name,
  type,
  presence: isOptional ? 'optional' : 'required',
  description: null,
});

const declarations = `${imports}
export interface Point { x: number; y: number }
export interface Page<T> { items: T[]; next?: string }
export type Maybe<T> = { ok: true; value: T } | { ok: false; error: string };
export interface Circle { kind: 'circle'; radius: number }
export interface Square { kind: 'square'; side: number }
export type Shape = Circle | Square;
export class Dog { readonly species = 'dog'; name!: string }
export class Cat { readonly species = 'cat'; lives = 9 }
export type Status = 'open' | 'closed';
export enum Colour { Red = 'red', Green = 'green' }
export enum Level { Low, High = 5 }
export const enum Size { Small = 's', Large = 'l' }
export interface Tree { value: string; children: Tree[] }
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Nested = (string | Nested)[];
export type Labels = Record<string, string>;
export type Quantity = Int & Min<1>;
export type Email = string & Format<'email'>;
export type OrderId = Uuid & { readonly __brand: 'OrderId' };
export type MaybeStatus = Status | null;
export type MaybePoint = Point | null;
export type Address = { street: string };
export namespace Billing { export interface Address { iban: string } }
interface Hidden { secret: string }
export const Priority = { Low: 1, High: 2 } as const;
export type Priority = (typeof Priority)[keyof typeof Priority];
declare const ownBrand: unique symbol;
export interface Branded { readonly [ownBrand]?: true; name: string }
export interface Linked { next: this | null }
export interface Person { employer: Company | null; home: Point }
export interface Company { staff: Person[] }
export interface NoSquare { circle: Circle; square?: never }
`;

/** Types as written, and their models. */
const cases: readonly (readonly [source: string, expected: TypeModel])[] = [
  ['string', string],
  ['number', number],
  ['boolean', boolean],
  ['Date', { kind: 'date' }],
  ['unknown', { kind: 'json' }],
  ['Uuid', uuid],
  ['Decimal', { kind: 'string', format: 'decimal' }],
  ['Int', { kind: 'number', integer: true }],

  ['Int & Min<1> & Max<10>', { kind: 'number', integer: true, min: 1, max: 10 }],
  ['number & Min<-1.5>', { kind: 'number', integer: false, min: -1.5 }],
  ['Min<1> & number', { kind: 'number', integer: false, min: 1 }],
  ['number & Min<1> & Min<3>', { kind: 'number', integer: false, min: 3 }],
  ['Quantity', { kind: 'number', integer: true, min: 1 }],
  ['Quantity & Max<5>', { kind: 'number', integer: true, min: 1, max: 5 }],
  ['Decimal & Min<0> & Max<100>', { kind: 'string', format: 'decimal', min: 0, max: 100 }],
  ['string & MinLength<1> & MaxLength<5>', { kind: 'string', minLength: 1, maxLength: 5 }],
  ["string & Pattern<'^[A-Z]{3}$'>", { kind: 'string', maxLength: 1000, pattern: '^[A-Z]{3}$' }],
  ["string & Pattern<'^a+$'> & MaxLength<5000>", { kind: 'string', maxLength: 5000, pattern: '^a+$' }],
  ["string & Pattern<'^a+$'> & MinLength<2000>", { kind: 'string', minLength: 2000, maxLength: 2000, pattern: '^a+$' }],
  ['Email', { kind: 'string', format: 'format:email' }],
  ["string & Format<'date'> & MaxLength<10>", { kind: 'string', format: 'format:date', maxLength: 10 }],
  ['OrderId', uuid],
  ["string & { readonly __brand: 'Sku' }", string],
  ["number & { readonly __brand: 'Cents' } & Min<0>", { kind: 'number', integer: false, min: 0 }],

  ['string | null', nullable(string)],
  ['Uuid | null', nullable(uuid)],
  ['(string & MinLength<1>) | null', nullable({ kind: 'string', minLength: 1 })],
  ['boolean | null', nullable(boolean)],
  ['Point | null', nullable(ref('Point'))],
  ['MaybePoint', nullable(ref('Point'))],
  ['MaybeStatus', ref('MaybeStatus')],

  ["'only'", literal('only')],
  ['true', literal(true)],
  ["'b' | 'a'", literal('a', 'b')],
  ['3 | 1 | 2', literal(1, 2, 3)],
  ["'x' | 2 | true", literal('x', 2, true)],
  ['Status', ref('Status')],
  ['Colour', ref('Colour')],
  ['Level', ref('Level')],
  ['Size', ref('Size')],
  ['Priority', ref('Priority')],
  ['Colour.Red', literal('red')],

  ['string[]', array(string)],
  ['readonly string[]', array(string)],
  ['Array<Point>', array(ref('Point'))],
  ['(string | null)[]', array(nullable(string))],
  ['Point[] & MinItems<1> & MaxItems<9>', { kind: 'array', items: ref('Point'), minItems: 1, maxItems: 9 }],
  ['[string, number]', { kind: 'tuple', items: [string, number] }],
  ['readonly [x: number, y: number]', { kind: 'tuple', items: [number, number] }],
  ['Set<string>', { kind: 'set', items: string }],
  ['ReadonlySet<Uuid>', { kind: 'set', items: uuid }],
  ['Set<Status>', { kind: 'set', items: ref('Status') }],
  ['Set<Colour>', { kind: 'set', items: ref('Colour') }],
  ['Set<Int> & MaxItems<3>', { kind: 'set', items: { kind: 'number', integer: true }, maxItems: 3 }],
  ['Record<string, number>', record(number)],
  ['{ [key: string]: Point }', record(ref('Point'))],
  ['Labels', record(string)],

  ['{ a: string; b?: number }', object({ a: string, 'b?': number })],
  ['{ a: { b: { c: string } } }', object({ a: object({ b: object({ c: string }) }) })],
  ['{ a: string | undefined }', object({ 'a?': string })],
  ['{ a?: string | null }', object({ 'a?': nullable(string) })],
  ['{ readonly a: string }', object({ a: string })],
  ['Point', ref('Point')],
  ['Address', ref('Address')],
  ['Billing.Address', ref('Billing.Address')],
  ['Hidden', ref('Hidden')],
  ["Record<'a' | 'b', string>", object({ a: string, b: string })],
  ["Pick<Point, 'x'>", object({ x: number })],
  ["Omit<Point, 'x'>", object({ y: number })],
  ['Partial<Point>', object({ 'x?': number, 'y?': number })],
  ['Required<{ a?: string }>', object({ a: string })],
  ['Readonly<Point>', object({ x: number, y: number })],
  ['Point & { z: number }', object({ x: number, y: number, z: number })],
  ['Page<Point>', { kind: 'ref', id: 'types#Page<types#Point>' }],
  ['Page<string[]>', { kind: 'ref', id: 'types#Page<string[]>' }],
  ['Maybe<number>', { kind: 'ref', id: 'types#Maybe<number>' }],
  ['Branded', ref('Branded')],

  ['string | number', { kind: 'union', arms: [string, number] }],
  ['Point | string[] | boolean', { kind: 'union', arms: [boolean, array(string), ref('Point')] }],
  ['Status | number', { kind: 'union', arms: [ref('Status'), number] }],
  ["'none' | number", { kind: 'union', arms: [literal('none'), number] }],
  ['Date | number', { kind: 'union', arms: [{ kind: 'date' }, number] }],
  ['Uuid | Int | null', nullable({ kind: 'union', arms: [uuid, { kind: 'number', integer: true }] })],
  ['Shape', ref('Shape')],
  [
    'Square | Circle | null',
    nullable({
      kind: 'tagged',
      tag: 'kind',
      arms: [
        { value: 'circle', type: ref('Circle') },
        { value: 'square', type: ref('Square') },
      ],
    }),
  ],
  [
    'Dog | Cat',
    {
      kind: 'tagged',
      tag: 'species',
      arms: [
        { value: 'cat', type: ref('Cat') },
        { value: 'dog', type: ref('Dog') },
      ],
    },
  ],
  [
    '{ ok: true; value: string } | { ok: false; error: string }',
    {
      kind: 'tagged',
      tag: 'ok',
      arms: [
        { value: false, type: object({ ok: literal(false), error: string }) },
        { value: true, type: object({ ok: literal(true), value: string }) },
      ],
    },
  ],
  ['Tree', ref('Tree')],
  ['Json', ref('Json')],
  ['Linked', ref('Linked')],
  ['Company', ref('Company')],
  ['NoSquare', ref('NoSquare')],
];

describe('types that a message can contain', () => {
  let fixture: ServiceFixture;
  let properties: ReadonlyMap<string, PropertyModel>;
  let types: ReadonlyMap<string, NamedType>;
  let mistakes: readonly Diagnostic[];

  beforeAll(() => {
    const members = cases.map(([source], i) => `  p${i}!: ${source};\n`).join('');
    const command = `export class Everything implements Command {\n${members}  nested!: Nested;\n}\n`;
    fixture = new ServiceFixture({ 'src/types.ts': declarations + command });
    const { model, diagnostics } = fixture.analyze();
    mistakes = diagnostics;
    types = new Map(model.types.map((type) => [type.id, type]));
    const { type } = types.get('types#Everything')!;
    properties = new Map(type.kind === 'object' ? type.properties.map((one) => [one.name, one]) : []);
  });

  afterAll(() => fixture[Symbol.dispose]());

  it('are read without a diagnostic', () => expect(mistakes).toEqual([]));

  it.each(cases.map(([source, expected], i) => ({ source, expected, name: `p${i}` })))(
    'reads $source',
    ({ expected, name }) => expect(properties.get(name)?.type).toEqual(expected),
  );

  it('reads the definitions of named types', () => {
    const typeOf = (id: string): TypeModel => types.get(`types#${id}`)!.type;
    expect(typeOf('Point')).toEqual(object({ x: number, y: number }));
    expect(typeOf('Page<types#Point>')).toEqual(object({ items: array(ref('Point')), 'next?': string }));
    expect(typeOf('Status')).toEqual(literal('closed', 'open'));
    expect(typeOf('Level')).toEqual(literal(0, 5));
    expect(typeOf('Size')).toEqual(literal('l', 's'));
    expect(typeOf('Priority')).toEqual(literal(1, 2));
    expect(typeOf('MaybeStatus')).toEqual(nullable(ref('Status')));
    expect(typeOf('Branded')).toEqual(object({ name: string }));
    expect(typeOf('NoSquare')).toEqual(object({ circle: ref('Circle') }));
    expect(typeOf('Linked')).toEqual(object({ next: nullable(ref('Linked')) }));
  });

  it('gives each instance of a generic type its own name', () => {
    expect(types.get('types#Page<types#Point>')).toMatchObject({ name: 'PageOfPoint', exportName: null });
    expect(types.get('types#Page<string[]>')).toMatchObject({ name: 'PageOfStringArray' });
    expect(types.get('types#Maybe<number>')).toMatchObject({ name: 'MaybeOfNumber' });
  });

  it('knows how a type is imported', () => {
    expect(types.get('types#Point')).toMatchObject({ name: 'Point', module: 'types', exportName: 'Point' });
    expect(types.get('types#Hidden')).toMatchObject({ name: 'Hidden', module: 'types', exportName: null });
    expect(types.get('types#Billing.Address')).toMatchObject({ name: 'BillingAddress', exportName: null });
  });

  it('knows which types contain themselves', () => {
    const recursive = [...types.values()].filter((type) => type.isRecursive).map(({ id }) => id);
    expect(recursive).toEqual(['Company', 'Json', 'Linked', 'Nested', 'Person', 'Tree'].map((name) => `types#${name}`));
    expect(types.get('types#Json')!.type).toEqual(
      nullable({ kind: 'union', arms: [string, number, boolean, array(ref('Json')), record(ref('Json'))] }),
    );
  });

  it('distinguishes classes from other types', () => {
    expect(types.get('types#Cat')).toMatchObject({ isClass: true, constructorProperties: [] });
    expect(types.get('types#Circle')).toMatchObject({ isClass: false });
  });
});

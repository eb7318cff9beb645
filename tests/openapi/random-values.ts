/** Values that match a schema, and values that do not. */
import * as fc from 'fast-check';
import { nameIn, type Document, type Schema } from './document.js';

/** Ids and tokens of the service, so that requests find something. */
export interface KnownValues {
  readonly ids: readonly string[];
  readonly events: readonly string[];
  readonly tokens: readonly string[];
}

/** Anything a client could send by mistake. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\0', 'x'.repeat(2_000), '😀'.repeat(600), '-1', '1e400', 1e21, 0.1 + 0.2, -0, [], {}, null),
);

export class ValidValues {
  readonly #document: Document;
  readonly #known: KnownValues;

  constructor(document: Document, known: KnownValues) {
    this.#document = document;
    this.#known = known;
  }

  of(schema: Schema): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined) return this.of(this.#document.components.schemas[nameIn(schema.$ref)]!);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const arms = schema.anyOf ?? schema.oneOf;
    if (arms !== undefined) return fc.oneof(...arms.map((arm) => this.of(arm)));
    switch (schema.type) {
      case 'object':
        return this.#object(schema);
      case 'array':
        return this.#array(schema);
      case 'string':
        return this.#text(schema);
      case 'integer':
        return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000_000 });
      case 'number':
        // Of few digits, so that they are exact.
        return fc
          .integer({
            min: Math.max(schema.minimum ?? -1_000, -1_000) * 100,
            max: Math.min(schema.maximum ?? 1_000, 1_000) * 100,
          })
          .map((hundredths) => hundredths / 100);
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
    if (typeof additionalProperties === 'object') return fc.dictionary(fc.string(), this.of(additionalProperties));
    const values = Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, this.of(value)]));
    return fc.record(values, { requiredKeys: [...required], noNullPrototype: true });
  }

  #array({ items = {}, minItems = 0, maxItems = 10, uniqueItems }: Schema): fc.Arbitrary<unknown> {
    const bounds = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) };
    return uniqueItems === true ? fc.uniqueArray(this.of(items), bounds) : fc.array(this.of(items), bounds);
  }

  #text({ format, pattern, minLength = 0, maxLength = 200 }: Schema): fc.Arbitrary<string> {
    const { ids, events } = this.#known;
    switch (format) {
      case 'uuid':
        return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ids, ...events) }, fc.uuid());
      case 'decimal':
        return fc.stringMatching(new RegExp(pattern ?? '^[0-9]{1,5}$', 'u'));
      case 'date-time':
        return fc
          .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
          .map((date) => date.toISOString());
      default:
        break;
    }
    if (pattern !== undefined) {
      const fits = (text: string): boolean =>
        Array.from(text).length >= minLength && Array.from(text).length <= maxLength;
      return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: Math.min(maxLength, 300) }).filter(fits);
    }
    const usual = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 20) });
    const fitting = usual.map((text) => Array.from(text).slice(0, maxLength).join(''));
    // Of the greatest length, in characters that have two code units.
    return fc.oneof({ weight: 9, arbitrary: fitting }, fc.constant('😀'.repeat(Math.min(maxLength, 200))));
  }
}

/** The value with one of its nodes replaced or removed, or with another property. */
export function mutated(value: unknown, at: number, by: unknown, how: 'replace' | 'remove' | 'add'): unknown {
  const copy = structuredClone(value);
  const places: { readonly parent: Record<string, unknown>; readonly key: string }[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const parent = node as Record<string, unknown>;
    for (const key of Object.keys(parent)) {
      places.push({ parent, key });
      visit(parent[key]);
    }
  };
  visit(copy);
  if (places.length === 0) return by;
  const { parent, key } = places[at % places.length]!;
  if (how === 'replace') parent[key] = by;
  else if (how === 'add') parent[`${key}2`] = by;
  else if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
  return copy;
}

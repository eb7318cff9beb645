import type { TaggedType } from '../../model/index.js';
import { ts } from '../compiler.js';
import type { Compilation } from '../compilation.js';
import type { Site } from './draft.js';
import { compareLiterals, literalValue, type Literal } from './literals.js';
import type { TypeReader } from './type-reader.js';

/** If several properties could be the tag, the first of these is used. */
const usualTags = ['kind', 'type', 'tag'];

/** Objects that all have a property with a distinct literal; null if there is no such property. */
export function readTagged(parts: readonly ts.Type[], reader: TypeReader, site: Site): TaggedType | null {
  const tags = parts.map((part) => literalProperties(part, reader.compilation));
  const candidates = [...(tags[0]?.keys() ?? [])].filter((name) => isTag(tags.map((values) => values.get(name))));
  const tag = usualTags.find((name) => candidates.includes(name)) ?? candidates.toSorted()[0];
  if (tag === undefined) return null;
  const arms = parts.flatMap((part, i) => {
    const type = reader.read(part, site);
    return tags[i]!.get(tag)!.map((value) => ({ value, type }));
  });
  return { kind: 'tagged', tag, arms: arms.toSorted((a, b) => compareLiterals(a.value, b.value)) };
}

/** Whether every object has it and no two share a value. */
function isTag(values: readonly (readonly Literal[] | undefined)[]): boolean {
  const all = values.flatMap((some) => some ?? []);
  return !values.includes(undefined) && new Set(all).size === all.length;
}

/** The required literal properties with their possible values. */
function literalProperties(type: ts.Type, { checker }: Compilation): Map<string, Literal[]> {
  const found = new Map<string, Literal[]>();
  for (const property of checker.getPropertiesOfType(type)) {
    if ((property.flags & ts.SymbolFlags.Optional) !== 0) continue;
    const propertyType = checker.getTypeOfSymbol(property);
    const parts = propertyType.isUnion() ? propertyType.types : [propertyType];
    const values = parts.map(literalValue).filter((value) => value !== null);
    if (values.length === parts.length) found.set(property.name, values);
  }
  return found;
}

import type { TypeModel } from '../../model/index.js';
import { ts, writtenParts } from '../compiler.js';
import type { Compilation } from '../compilation.js';
import type { Site } from './draft.js';
import { literalValue, sortedLiterals, type Literal } from './literals.js';
import { primitiveIn } from './scalars.js';
import { readTagged } from './tagged-unions.js';
import { unreadable, type TypeReader } from './type-reader.js';
import { typeText } from './type-text.js';

/** The JSON kinds that can be distinguished without reading a value's content, in the order of a union's arms. */
const jsonKinds = ['string', 'number', 'boolean', 'array', 'object'] as const;

type JsonKind = (typeof jsonKinds)[number];

/** A union without null and undefined: literals, arms of different JSON kinds, or objects with a tag. */
export function readUnion(type: ts.UnionType, reader: TypeReader, site: Site): TypeModel {
  const literals = type.types.map(literalValue);
  if (literals.every((literal) => literal !== null)) return { kind: 'literal', values: sortedLiterals(literals) };
  if ((type.flags & ts.TypeFlags.EnumLiteral) !== 0) {
    site.scope.report(site, 'SVC1028', site.where, typeText(type, reader.compilation));
    return unreadable;
  }
  const arms = readWhole(type, reader, site) ?? readByKind(type, reader, site);
  if (arms.length === 0) return unreadable;
  return arms.length === 1 ? arms[0]! : { kind: 'union', arms };
}

/** The parts as written, named unions whole, if no two of them share a JSON kind. */
function readWhole(type: ts.UnionType, reader: TypeReader, site: Site): TypeModel[] | null {
  const parts = writtenParts(type);
  if (parts === type.types) return null;
  const found = new Map<JsonKind, ts.Type>();
  for (const part of parts) {
    const kinds = new Set((part.isUnion() ? part.types : [part]).map((leaf) => jsonKindOf(leaf, reader.compilation)));
    const [kind] = kinds;
    if (kinds.size !== 1 || kind === undefined || kind === null || found.has(kind)) return null;
    found.set(kind, part);
  }
  return jsonKinds.flatMap((kind) => {
    const part = found.get(kind);
    return part === undefined ? [] : [reader.read(part, site)];
  });
}

function readByKind(type: ts.UnionType, reader: TypeReader, site: Site): TypeModel[] {
  const groups = new Map<JsonKind, ts.Type[]>(jsonKinds.map((kind) => [kind, []]));
  for (const part of type.types) {
    const kind = jsonKindOf(part, reader.compilation);
    if (kind === null) reader.read(part, site);
    else groups.get(kind)!.push(part);
  }
  return [...groups].flatMap(([kind, parts]) => (parts.length === 0 ? [] : [readGroup(kind, parts, reader, site)]));
}

/** The arm for values of a JSON kind. */
function readGroup(kind: JsonKind, parts: readonly ts.Type[], reader: TypeReader, site: Site): TypeModel {
  if (parts.length === 1) return reader.read(parts[0]!, site);
  const literals = parts.map(literalValue);
  if (literals.every((literal) => literal !== null)) return literalArm(kind, literals);
  const tagged = kind === 'object' ? readTagged(parts, reader, site) : null;
  if (tagged !== null) return tagged;
  const texts = [...new Set(parts.map((part) => typeText(part, reader.compilation)))].toSorted().join(' or ');
  site.scope.report(site, kind === 'string' ? 'SVC1009' : 'SVC1008', site.where, texts);
  return unreadable;
}

function literalArm(kind: JsonKind, values: readonly Literal[]): TypeModel {
  return kind === 'boolean' ? { kind: 'boolean' } : { kind: 'literal', values: sortedLiterals(values) };
}

/** Null for types without a JSON form. */
function jsonKindOf(type: ts.Type, compilation: Compilation): JsonKind | null {
  const { checker } = compilation;
  if (type.isIntersection()) {
    const part = primitiveIn(type.types) ?? type.types.find((member) => checker.isArrayType(member)) ?? type.types[0]!;
    return jsonKindOf(part, compilation);
  }
  if ((type.flags & ts.TypeFlags.StringLike) !== 0) return 'string';
  if ((type.flags & ts.TypeFlags.NumberLike) !== 0) return 'number';
  if ((type.flags & ts.TypeFlags.BooleanLike) !== 0) return 'boolean';
  if ((type.flags & ts.TypeFlags.Object) === 0) return null;
  if (checker.isArrayType(type) || checker.isTupleType(type)) return 'array';
  if (checker.getSignaturesOfType(type, ts.SignatureKind.Call).length > 0) return null;
  if (type.symbol === undefined || !compilation.isBuiltIn(type.symbol)) return 'object';
  const { name, flags } = type.symbol;
  if (name === 'Date') return 'string';
  if (name === 'Set' || name === 'ReadonlySet') return 'array';
  return (flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) === 0 ? 'object' : null;
}

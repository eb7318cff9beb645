import type { TypeModel } from '../../model/index.js';
import { ts } from '../compiler.js';
import type { Site } from './draft.js';
import { subjectOf } from './personal.js';
import { canBe, nothing, unreadable, withoutNothing, type TypeReader } from './type-reader.js';
import { typeText } from './type-text.js';

/** `T[]`, `readonly T[]` */
export function readList(type: ts.TypeReference, reader: TypeReader, site: Site): TypeModel {
  const items = reader.compilation.checker.getTypeArguments(type)[0]!;
  return { kind: 'array', items: readItem(items, reader, site) };
}

/** `Set<T>`, `ReadonlySet<T>`. Items are scalars, because two equal objects are two items of a set. */
export function readSet(type: ts.TypeReference, reader: TypeReader, site: Site): TypeModel {
  const items = reader.compilation.checker.getTypeArguments(type)[0]!;
  const model = readItem(items, reader, site);
  if (isScalar(items, model)) return { kind: 'set', items: model };
  if (model !== unreadable) {
    site.scope.report(site, 'SVC1011', site.where, typeText(items, reader.compilation));
  }
  return unreadable;
}

/** `[A, B]` */
export function readTuple(type: ts.TypeReference, reader: TypeReader, site: Site): TypeModel {
  const target = type.target as ts.TupleType;
  const elements = reader.compilation.checker.getTypeArguments(type);
  const isFixed = target.elementFlags.every((flags) => (flags & ts.ElementFlags.Required) !== 0);
  if (!isFixed) {
    const fix = asList(target, elements, reader) ?? 'an array, or an object with optional properties';
    site.scope.report(site, 'SVC1012', site.where, tupleText(target, elements, reader), fix);
    return unreadable;
  }
  return { kind: 'tuple', items: elements.map((element) => readItem(element, reader, site)) };
}

/** The item of a list. JSON has no undefined, and only a property can be omitted. */
export function readItem(type: ts.Type, reader: TypeReader, site: Site): TypeModel {
  if (subjectOf(type, reader.compilation) !== null) site.scope.report(site, 'SVC1042', site.where);
  if ((type.flags & nothing) !== 0 || !canBe(type, nothing)) return reader.read(type, site);
  site.scope.report(site, 'SVC1025', site.where);
  return reader.read(withoutNothing(type, reader.compilation), site);
}

function isScalar(type: ts.Type, model: TypeModel): boolean {
  switch (model.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'literal':
      return true;
    case 'ref':
      // A named union of literals is the only scalar with a name.
      return type.isUnion() && type.types.every((part) => part.isLiteral());
    default:
      return false;
  }
}

/** `T[] & MinItems<1>` for `[T, ...T[]]`; null for any other tuple. */
function asList(
  { elementFlags }: ts.TupleType,
  elements: readonly ts.Type[],
  { compilation }: TypeReader,
): string | null {
  const last = elements.length - 1;
  const isList = elementFlags.every((flags, i) =>
    i === last ? (flags & ts.ElementFlags.Rest) !== 0 : (flags & ts.ElementFlags.Required) !== 0,
  );
  if (!isList || elements.some((element) => element !== elements[0])) return null;
  const item = typeText(elements[0]!, compilation);
  return `${/[|&]/.test(item) ? `(${item})` : item}[] & MinItems<${last}>`;
}

function tupleText(target: ts.TupleType, elements: readonly ts.Type[], { compilation }: TypeReader): string {
  const texts = elements.map((element, i) => {
    const text = typeText(withoutNothing(element, compilation), compilation);
    const flags = target.elementFlags[i] ?? ts.ElementFlags.Required;
    if ((flags & ts.ElementFlags.Rest) !== 0) return `...${text}[]`;
    return (flags & ts.ElementFlags.Optional) !== 0 ? `${text}?` : text;
  });
  return `[${texts.join(', ')}]`;
}

import { ts, writtenParts } from '../compiler.js';
import type { Compilation } from '../compilation.js';
import { declaredName } from './declared-names.js';
import { primitiveIn, readScalar, scalarText } from './scalars.js';

/** The text of a type for messages: `Page<LineItem>`. The compiler's text orders the parts of a union as it met them. */
export function typeText(type: ts.Type, compilation: Compilation): string {
  return write(type, compilation, (symbol) => declaredName(symbol), 0);
}

/** A type as part of an id: its text with every name qualified by its module. Equal for equal types on every machine. */
export function typeKey(type: ts.Type, compilation: Compilation): string {
  return write(type, compilation, (symbol) => qualifiedName(symbol, compilation), 0);
}

/** `orders/create-order#LineItem`; types of the language need no module. */
export function qualifiedName(symbol: ts.Symbol, compilation: Compilation): string {
  const name = declaredName(symbol);
  return compilation.isBuiltIn(symbol) ? name : `${compilation.placeOf(symbol)}#${name}`;
}

/** The type arguments of a type, without the `this` type that the compiler adds. */
export function argumentsOf(type: ts.Type, { checker }: Compilation): readonly ts.Type[] {
  if (type.aliasSymbol !== undefined) return type.aliasTypeArguments ?? [];
  if ((type.flags & ts.TypeFlags.Object) === 0) return [];
  const { target } = type as ts.TypeReference;
  if (target === undefined) return [];
  return checker.getTypeArguments(type as ts.TypeReference).slice(0, target.typeParameters?.length ?? 0);
}

type Name = (symbol: ts.Symbol) => string;

const deepest = 20;

function write(type: ts.Type, compilation: Compilation, name: Name, depth: number): string {
  const { checker } = compilation;
  if (depth > deepest) return '…';
  const inner = (part: ts.Type): string => write(part, compilation, name, depth + 1);
  if (type.aliasSymbol !== undefined && !isScalarIntersection(type)) return withArguments(type.aliasSymbol, type);
  if ((type.flags & ts.TypeFlags.EnumLike) !== 0) return name(type.symbol);
  if (type.isUnion() && (type.flags & ts.TypeFlags.Boolean) === 0) {
    return joinSorted(writtenParts(type).map(inner));
  }
  if (type.isIntersection()) {
    const scalar = readScalar(type.types, compilation, null);
    if (scalar?.kind === 'string' || scalar?.kind === 'number') return scalarText(scalar);
    return type.types.map(inner).join(' & ');
  }
  if (checker.isArrayType(type)) {
    const item = inner(checker.getTypeArguments(type as ts.TypeReference)[0]!);
    return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`;
  }
  if (checker.isTupleType(type)) {
    return `[${checker
      .getTypeArguments(type as ts.TypeReference)
      .map(inner)
      .join(', ')}]`;
  }
  if (!isAnonymous(type)) return withArguments(type.symbol, type);
  if ((type.flags & ts.TypeFlags.Object) !== 0) return objectText(type);
  return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);

  function withArguments(symbol: ts.Symbol, named: ts.Type): string {
    const given = argumentsOf(named, compilation);
    return given.length === 0 ? name(symbol) : `${name(symbol)}<${given.map(inner).join(', ')}>`;
  }

  function objectText(object: ts.Type): string {
    if (checker.getSignaturesOfType(object, ts.SignatureKind.Call).length > 0) return 'a function';
    const indexes = checker.getIndexInfosOfType(object);
    const properties = checker.getPropertiesOfType(object);
    if (properties.length === 0 && indexes.length === 0) return '{}';
    return `{ ${[
      ...indexes.map((index) => `[key: ${inner(index.keyType)}]: ${inner(index.type)}`),
      ...properties.map((property) => {
        const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
        return `${property.name}${optional ? '?' : ''}: ${inner(checker.getTypeOfSymbol(property))}`;
      }),
    ].join('; ')} }`;
  }
}

function isScalarIntersection(type: ts.Type): boolean {
  return type.isIntersection() && primitiveIn(type.types) !== undefined;
}

/** A type without a declared name: `{ … }`, a mapped type, a primitive. */
export function isAnonymous(type: ts.Type): boolean {
  const { symbol } = type;
  if ((type.flags & ts.TypeFlags.Object) === 0 || symbol === undefined) return true;
  return (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) === 0 || isStaticSide(type);
}

/** `typeof Order` has the symbol of the class `Order`, but is its constructor. */
function isStaticSide(type: ts.Type): boolean {
  return ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Anonymous) !== 0;
}

function joinSorted(texts: readonly string[]): string {
  return [...new Set(texts)].toSorted().join(' | ');
}

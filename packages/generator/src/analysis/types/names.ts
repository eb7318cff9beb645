import { ts, writtenParts } from '../compiler.js';
import type { Compilation } from '../compilation.js';
import { declaredName } from './declared-names.js';
import { literalValue } from './literals.js';
import { isPlainObject } from './objects.js';
import { withoutNothing } from './type-reader.js';
import { argumentsOf, isAnonymous, qualifiedName, typeKey } from './type-text.js';

/** The identity of a named type. */
export interface Naming {
  readonly id: string;
  /** An identifier: `PageOfLineItem`. */
  readonly name: string;
  readonly symbol: ts.Symbol;
  /** Null if it is declared in a package. */
  readonly module: string | null;
  readonly isGeneric: boolean;
}

/** The name of a declared type: a class, an interface, an enum, or a type alias that the checker still knows. */
export function namingOf(type: ts.Type, compilation: Compilation): Naming | null {
  const symbol = namedSymbol(type, compilation);
  if (symbol === null) return null;
  const given = argumentsOf(type, compilation);
  const name = asIdentifier(declaredName(symbol));
  const id = qualifiedName(symbol, compilation);
  const module = compilation.moduleOf(symbol);
  if (given.length === 0) return { id, name, symbol, module, isGeneric: false };
  return {
    id: `${id}<${given.map((argument) => typeKey(argument, compilation)).join(',')}>`,
    name: `${name}Of${given.map((argument) => spokenName(argument, compilation, 0)).join('And')}`,
    symbol,
    module,
    isGeneric: true,
  };
}

/** Objects, unions and enums have names. A scalar, an array or a record has none. */
export function isWorthNaming(type: ts.Type, compilation: Compilation): boolean {
  if (type.isIntersection()) return type.types.every((part) => isPlainObject(part, compilation));
  if (!type.isUnion()) return isNamedOrObject(type, compilation);
  if ((type.flags & ts.TypeFlags.EnumLiteral) !== 0) return true;
  const rest = withoutNothing(type, compilation);
  // `type Maybe = Address | null` is read as an address or null, wherever it is used.
  if (!rest.isUnion()) return rest.aliasSymbol === undefined && isAnonymous(rest) && isNamedOrObject(rest, compilation);
  return (rest.flags & ts.TypeFlags.Boolean) === 0;
}

/** A declared type, or an object with properties. */
function isNamedOrObject(type: ts.Type, compilation: Compilation): boolean {
  if (!isAnonymous(type)) return !compilation.isBuiltIn(type.symbol);
  return isPlainObject(type, compilation) && compilation.checker.getIndexInfosOfType(type).length === 0;
}

function namedSymbol(type: ts.Type, compilation: Compilation): ts.Symbol | null {
  const alias = type.aliasSymbol;
  if (alias !== undefined) return compilation.isBuiltIn(alias) ? null : alias;
  if ((type.flags & ts.TypeFlags.EnumLiteral) !== 0 && type.isUnion()) return type.symbol;
  if ((type.flags & ts.TypeFlags.Object) === 0 || isAnonymous(type)) return null;
  return compilation.isBuiltIn(type.symbol) ? null : type.symbol;
}

/** A type argument as part of a name: `LineItem`, `StringArray`, `StringOrNull`. */
function spokenName(type: ts.Type, compilation: Compilation, depth: number): string {
  const { checker } = compilation;
  const inner = (part: ts.Type): string => (depth > 3 ? 'Type' : spokenName(part, compilation, depth + 1));
  if (type.aliasSymbol !== undefined || !isAnonymous(type)) {
    if (checker.isArrayType(type)) return `${inner(checker.getTypeArguments(type as ts.TypeReference)[0]!)}Array`;
    const symbol = type.aliasSymbol ?? type.symbol;
    const given = argumentsOf(type, compilation);
    return (
      capitalised(asIdentifier(declaredName(symbol))) + (given.length === 0 ? '' : `Of${given.map(inner).join('And')}`)
    );
  }
  if ((type.flags & ts.TypeFlags.EnumLike) !== 0) return capitalised(asIdentifier(declaredName(type.symbol)));
  if (type.isUnion() && (type.flags & ts.TypeFlags.Boolean) === 0) {
    return writtenParts(type).map(inner).toSorted().join('Or');
  }
  if ((type.flags & ts.TypeFlags.Object) !== 0) return 'Object';
  return capitalised(asIdentifier(literalValue(type)?.toString() ?? checker.typeToString(type)));
}

/** A text as an identifier. An identifier stays unchanged. */
function asIdentifier(text: string): string {
  const words = text.split(/[^\p{ID_Continue}$]+/u).filter((word) => word !== '');
  const joined = words.length === 1 ? words[0]! : words.map(capitalised).join('');
  return /^[\p{ID_Start}_$]/u.test(joined) ? joined : `Value${joined}`;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

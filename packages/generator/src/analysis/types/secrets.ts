import { ts } from '../compiler.js';
import type { Compilation } from '../compilation.js';
import { readConstraints } from './constraints.js';

/** Whether a value of the type is or directly contains a `Secret`: in a list or as a member of a union, but not in a property. */
export function isSecret(type: ts.Type, compilation: Compilation): boolean {
  const { checker } = compilation;
  if (type.isUnion()) return type.types.some((part) => isSecret(part, compilation));
  if (type.isIntersection() && readConstraints(type.types, compilation, null).secret === true) return true;
  if ((type.flags & ts.TypeFlags.Object) === 0) return false;
  const isList = checker.isArrayType(type) || checker.isTupleType(type) || compilation.isBuiltIn(type.symbol);
  const items = isList ? checker.getTypeArguments(type as ts.TypeReference) : valuesOf(type, checker);
  return items.some((item) => isSecret(item, compilation));
}

/** The values of `Record<string, T>`. */
function valuesOf(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  return checker.getIndexInfosOfType(type).map((index) => index.type);
}

/** Whether an initializer contains no value: null, undefined or an empty list. */
export function isEmptyInitialiser(declaration: ts.Declaration): boolean {
  if (!ts.isPropertyDeclaration(declaration) && !ts.isParameter(declaration)) return true;
  const { initializer: value } = declaration;
  if (value === undefined || value.kind === ts.SyntaxKind.NullKeyword) return true;
  if (ts.isIdentifier(value)) return value.text === 'undefined';
  if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0;
  if (ts.isObjectLiteralExpression(value)) return value.properties.length === 0;
  return ts.isNewExpression(value) && (value.arguments ?? []).length === 0;
}

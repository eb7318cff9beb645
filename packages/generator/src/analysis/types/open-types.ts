import { ts } from '../compiler.js';

/** Whether it still depends on a type parameter of a base class or interface. */
export function isOpen(type: ts.Type, checker: ts.TypeChecker): boolean {
  if ((type.flags & ts.TypeFlags.Instantiable) !== 0) return true;
  if (type.isUnionOrIntersection()) return type.types.some((part) => isOpen(part, checker));
  const isReference = (type.flags & ts.TypeFlags.Object) !== 0 && (type as ts.TypeReference).target !== undefined;
  return (
    isReference &&
    checker.getTypeArguments(type as ts.TypeReference).some((part) => part !== type && isOpen(part, checker))
  );
}

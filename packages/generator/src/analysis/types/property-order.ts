import { ts } from '../compiler.js';
import type { Compilation } from '../compilation.js';

/**
 * The properties of an object type: first those from elsewhere (a base class, a mapped type), by location, then its own as declared. The
 * checker's order of the former depends on which names it met first.
 */
export function orderedProperties(type: ts.Type, { checker }: Compilation): readonly ts.Symbol[] {
  const properties = checker.getPropertiesOfType(type);
  const owners = new Set<ts.Node>(type.symbol?.declarations);
  const others = properties.filter((property) => !isOwn(property, owners));
  if (others.length === 0) return properties;
  return [...others.toSorted(byPlace), ...properties.filter((property) => isOwn(property, owners))];
}

function isOwn({ declarations }: ts.Symbol, owners: ReadonlySet<ts.Node>): boolean {
  const declaration = declarations?.[0];
  if (declaration === undefined) return false;
  return owners.has(ts.isParameter(declaration) ? declaration.parent.parent : declaration.parent);
}

function byPlace(a: ts.Symbol, b: ts.Symbol): number {
  const [first, second] = [a.declarations?.[0], b.declarations?.[0]];
  if (first === undefined || second === undefined) {
    return Number(first === undefined) - Number(second === undefined) || compare(a.name, b.name);
  }
  const files = compare(first.getSourceFile().fileName, second.getSourceFile().fileName);
  return files || first.pos - second.pos || compare(a.name, b.name);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

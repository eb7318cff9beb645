import type { NamedType, TypeModel } from '../model/index.js';

/** The name of a type below `root` that must contain itself without end, which GraphQL rejects as an input. Null if there is none. */
export function findEndless(root: NamedType, find: (id: string) => NamedType): string | null {
  const finished = new Set<string>();
  const open = new Set<string>();
  return visit(root);

  function visit(named: NamedType): string | null {
    if (open.has(named.id)) return named.name;
    if (finished.has(named.id)) return null;
    open.add(named.id);
    const found = firstEndless(requiredIn(named.type));
    open.delete(named.id);
    finished.add(named.id);
    return found;
  }

  function firstEndless(ids: readonly string[]): string | null {
    for (const id of ids) {
      const found = visit(find(id));
      if (found !== null) return found;
    }
    return null;
  }
}

/** The named types that every value of a type requires. */
function requiredIn(type: TypeModel): string[] {
  if (type.kind === 'ref') return [type.id];
  if (type.kind !== 'object') return [];
  return type.properties.flatMap((property) => (property.presence === 'required' ? requiredIn(property.type) : []));
}

import type { TypeDraft } from '../types/index.js';
import { compareTexts } from './order.js';

/**
 * A name for each type that no other type of its module has. What is exported under its own name keeps it; of the others
 * the first by id does, and the rest are numbered.
 */
export function uniqueNames(drafts: Iterable<TypeDraft>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const keepsName = ({ exportName, name }: TypeDraft): boolean => exportName === name;
  const inOrder = [...drafts].toSorted(
    (a, b) => Number(keepsName(b)) - Number(keepsName(a)) || compareTexts(a.id, b.id),
  );
  for (const { id, name, module } of inOrder) {
    let candidate = name;
    for (let number = 2; taken.has(`${module ?? ''}#${candidate}`); number++) candidate = `${name}${number}`;
    taken.add(`${module ?? ''}#${candidate}`);
    names.set(id, candidate);
  }
  return names;
}

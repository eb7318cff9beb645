import type { TypeDraft } from '../types/index.js';
import { compareTexts } from './order.js';

/**
 * A name for each type that is unique within its module. A type exported under its own name retains it; of the others the first by id
 * does, and the rest are numbered.
 */
export function uniqueNames(drafts: Iterable<TypeDraft>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const used = new Set<string>();
  const ownsName = ({ exportName, name }: TypeDraft): boolean => exportName === name;
  const inOrder = [...drafts].toSorted((a, b) => Number(ownsName(b)) - Number(ownsName(a)) || compareTexts(a.id, b.id));
  for (const { id, name, module } of inOrder) {
    let candidate = name;
    for (let number = 2; used.has(`${module ?? ''}#${candidate}`); number++) candidate = `${name}${number}`;
    used.add(`${module ?? ''}#${candidate}`);
    names.set(id, candidate);
  }
  return names;
}

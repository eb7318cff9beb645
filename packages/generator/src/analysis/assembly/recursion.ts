import type { TypeDraft } from '../types/index.js';

/** The ids of the types that contain themselves, directly or through others: Tarjan's strongly connected components. */
export function findRecursive(drafts: ReadonlyMap<string, TypeDraft>): ReadonlySet<string> {
  const recursive = new Set<string>();
  const visits = new Map<string, Visit>();
  const stack: string[] = [];

  for (const id of drafts.keys()) if (!visits.has(id)) visit(id);
  return recursive;

  /** Uses an explicit stack instead of recursion: types may nest deeper than the call stack. */
  function visit(start: string): void {
    const path = [open(start)];
    for (let current = path.at(-1); current !== undefined; current = path.at(-1)) {
      const next = current.pending.pop();
      if (next === undefined) {
        path.pop();
        close(current, path.at(-1));
        continue;
      }
      const known = visits.get(next);
      if (known === undefined) path.push(open(next));
      else if (known.isOpen) current.lowest = Math.min(current.lowest, known.index);
    }
  }

  function open(id: string): Visit {
    const references = drafts.get(id)?.references ?? [];
    const visited = {
      id,
      index: visits.size,
      lowest: visits.size,
      isOpen: true,
      pending: references.map((to) => to.id),
    };
    visits.set(id, visited);
    stack.push(id);
    if (visited.pending.includes(id)) recursive.add(id);
    return visited;
  }

  function close(done: Visit, parent: Visit | undefined): void {
    if (parent !== undefined) parent.lowest = Math.min(parent.lowest, done.lowest);
    if (done.lowest !== done.index) return;
    const component = stack.splice(stack.lastIndexOf(done.id));
    for (const id of component) {
      visits.get(id)!.isOpen = false;
      if (component.length > 1) recursive.add(id);
    }
  }
}

interface Visit {
  readonly id: string;
  readonly index: number;
  lowest: number;
  isOpen: boolean;
  readonly pending: string[];
}

/** What differs between two JSON values, by JSON Pointer. */

export interface Difference {
  readonly pointer: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before: unknown;
  readonly after: unknown;
}

export interface Differences {
  readonly items: readonly Difference[];
  /** Whether there are more than the limit. */
  readonly isCut: boolean;
}

export function differencesBetween(before: unknown, after: unknown, limit: number): Differences {
  const items: Difference[] = [];
  collect('', before, after, { items, limit: limit + 1 });
  return { items: items.slice(0, limit), isCut: items.length > limit };
}

interface Found {
  readonly items: Difference[];
  readonly limit: number;
}

function collect(pointer: string, before: unknown, after: unknown, found: Found): void {
  if (found.items.length >= found.limit || Object.is(before, after)) return;
  if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [one, other] = [Object.hasOwn(before, name), Object.hasOwn(after, name)];
      const child = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (one && other) collect(child, before[name], after[name], found);
      else if (found.items.length < found.limit)
        found.items.push({ pointer: child, kind: one ? 'removed' : 'added', before: before[name], after: after[name] });
    }
    return;
  }
  const isAdded = before === null || before === undefined;
  const isRemoved = after === null || after === undefined;
  if (isAdded && isRemoved) return;
  found.items.push({ pointer, kind: isAdded ? 'added' : isRemoved ? 'removed' : 'changed', before, after });
}

function isBranch(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

import type { Issue } from '../errors/index.js';
import { maximumDepth, maximumIssues } from './limits.js';
import { pointerOf } from './pointers.js';

/** The flaw of a value or of its key, as text; null: it has none. The key is null for an item of a list and for the whole value. */
export type FlawOf = (value: unknown, key: string | null) => string | null;

/**
 * Finds the flawed values of parsed JSON, in time linear in its size. Only an issue costs a pointer. Values nested more than `maximumDepth`
 * levels deep share one issue with the value that contains them there.
 */
export function issuesIn(root: unknown, flawOf: FlawOf): readonly Issue[] {
  const issues: Issue[] = [];
  const path: (string | number)[] = [];

  const search = (value: unknown, key: string | null): void => {
    const detail = path.length < maximumDepth ? flawOf(value, key) : deepFlawOf(value, key, flawOf);
    if (detail !== null) issues.push({ pointer: pointerOf(path), detail });
    else if (path.length < maximumDepth) searchIn(value);
  };

  const searchIn = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const keys = Array.isArray(value) ? null : Object.keys(value);
    const items = keys === null ? (value as readonly unknown[]) : Object.values(value);
    for (let i = 0; i < items.length && issues.length < maximumIssues; i++) {
      const key = keys === null ? null : keys[i]!;
      path.push(key ?? i);
      search(items[i], key);
      path.pop();
    }
  };

  search(root, null);
  return issues;
}

/** The first flaw of a value or of one that it contains. Not recursive: a text may nest deeper than the call stack allows. */
function deepFlawOf(root: unknown, rootKey: string | null, flawOf: FlawOf): string | null {
  const flaw = flawOf(root, rootKey);
  if (flaw !== null) return flaw;
  const pending: unknown[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const keys = Array.isArray(next) ? null : Object.keys(next);
    const items = keys === null ? (next as readonly unknown[]) : Object.values(next);
    for (let i = 0; i < items.length; i++) {
      const detail = flawOf(items[i], keys === null ? null : keys[i]!);
      if (detail !== null) return detail;
      if (typeof items[i] === 'object') pending.push(items[i]);
    }
  }
  return null;
}

import { describe, expect, it } from 'vitest';
import type { CommitPart } from './commit-part.js';
import { commitEvent, commitGuardedEvent, commitStatements, guardedCommitStatements } from './commit-statement.js';
import { reactedPart } from './reacted-part.js';
import { resultsPart } from './results-part.js';

/** The numbers of the parameters of a statement. */
function parametersOf(text: string): number[] {
  const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, digits]) => Number(digits));
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

const upTo = (most: number): number[] => Array.from({ length: most }, (_, i) => i + 1);
const checksTenants = (text: string): boolean => text.includes("'tenant'");

describe('a commit statement', () => {
  it('has two parameters for events, and six with messages', () => {
    expect(parametersOf(commitStatements.ofEvents([]))).toEqual(upTo(2));
    expect(parametersOf(commitStatements.ofMessages([]))).toEqual(upTo(6));
  });

  it('has further parameters for the lists of its parts', () => {
    const parts = [resultsPart, reactedPart];
    expect(parametersOf(commitStatements.ofEvents(parts))).toEqual(upTo(7));
    expect(parametersOf(commitStatements.ofMessages(parts))).toEqual(upTo(11));
  });

  it('checks the tenants of streams only if it is guarded', () => {
    const checked = [commitStatements, guardedCommitStatements].map(({ ofEvents, ofMessages }) => [
      checksTenants(ofEvents([])),
      checksTenants(ofMessages([])),
    ]);
    expect(checked).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it('is composed once for the same parts', () => {
    let composed = 0;
    const part: CommitPart = {
      name: 'counted',
      lists: [],
      sql: () => {
        composed++;
        return { rows: '', refusals: '', writes: '' };
      },
    };
    expect(commitStatements.ofEvents([part])).toBe(commitStatements.ofEvents([part]));
    expect(composed).toBe(1);
    commitStatements.ofMessages([part]);
    commitStatements.ofEvents([part, resultsPart]);
    expect(composed).toBe(3);
  });
});

it('has ten parameters for a single event, and the tenant as a further one if it is guarded', () => {
  expect(parametersOf(commitEvent)).toEqual(upTo(10));
  expect(parametersOf(commitGuardedEvent)).toEqual(upTo(11));
});

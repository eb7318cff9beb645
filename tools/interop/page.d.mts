import type { Row } from './rows.mjs';

export const pagePath: string;
export function cellsOf(root: string, row: Row): string[];

export interface Result {
  readonly passed: number;
  readonly failed: number;
  /** False: a file of the row has none of its tests. */
  readonly isComplete: boolean;
}

/** A report of Vitest with `--reporter=json`, as far as it is read. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export function resultsIn(root: string, report: Report): Result[];
export function isGood(result: Result): boolean;
export function interoperabilityPage(root: string, results: readonly Result[], environment: string): string;

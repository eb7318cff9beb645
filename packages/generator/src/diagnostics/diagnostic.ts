import type { DiagnosticCode } from './diagnostic-codes.js';

/** An error that the generator reports: its location, its code and a message with a fix. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  /** Relative to the project's directory, with `/`. */
  readonly file: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** `src/orders/create-order.ts:7:3 SVC1001 …` */
export function formatDiagnostic({ file, line, column, code, message }: Diagnostic): string {
  return `${file}:${line}:${column} ${code} ${message}`;
}

/** By file, line, column, code: the order in which a reader fixes them. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.code, b.code);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

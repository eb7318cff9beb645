import { problem, type Diagnostic, type DiagnosticCode, type DiagnosticNames } from '../../diagnostics/index.js';
import { diagnosticAt, type Location } from '../locations.js';
import type { Finding } from '../types/index.js';

/** Collects diagnostics without duplicates. */
export class Reports {
  readonly #found = new Map<string, Diagnostic>();

  constructor(known: Iterable<Diagnostic>) {
    for (const diagnostic of known) this.#add(diagnostic);
  }

  get any(): boolean {
    return this.#found.size > 0;
  }

  report<TCode extends DiagnosticCode>(at: Location, code: TCode, ...names: DiagnosticNames<TCode>): void {
    this.#add(diagnosticAt(at, problem(code, ...names)));
  }

  /** A finding without a location is reported at `fallback`. */
  reportFinding(finding: Finding, fallback: Location | null): void {
    const at = finding.at ?? fallback;
    if (at !== null) this.#add(diagnosticAt(at, finding.problem));
  }

  sorted(compare: (a: Diagnostic, b: Diagnostic) => number): Diagnostic[] {
    return [...this.#found.values()].toSorted((a, b) => compare(a, b) || (a.message < b.message ? -1 : 1));
  }

  #add(diagnostic: Diagnostic): void {
    const { file, line, column, code, message } = diagnostic;
    this.#found.set([file, line, column, code, message].join('\0'), diagnostic);
  }
}

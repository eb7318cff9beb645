import { expect } from 'vitest';
import { formatDiagnostic, type Diagnostic, type DiagnosticCode } from '../../diagnostics/index.js';
import { imports, ServiceFixture } from './service-fixture.js';

/** A mistake, and what the user is told. */
export interface DiagnosticCase {
  readonly code: DiagnosticCode;
  /** What a user would say. */
  readonly says: string;
  /** Sources by path below `src`, or one source. A comment of a single `!` stands before the place that is pointed at. */
  readonly source: string | Readonly<Record<string, string>>;
  /** Part of the message: the names involved. */
  readonly names: string;
  /** Part of the message: the mend. */
  readonly mend: string;
}

const marker = '/*!*/';

/** Analyses the sources of a case and expects its one diagnostic, at its place. */
export function expectDiagnostic({ code, source, names, mend }: DiagnosticCase): void {
  const sources = Object.entries(typeof source === 'string' ? { 'orders.ts': source } : source).map(
    ([path, text]) => [`src/${path}`, imports + text] as const,
  );
  using fixture = new ServiceFixture(Object.fromEntries(sources));
  const { diagnostics } = fixture.analyze();
  const place = sources.map(([path, text]) => placeIn(path, text)).find((found) => found !== null);
  expect(diagnostics.map((diagnostic) => shortly(diagnostic))).toEqual([
    shortly({ code, file: '', line: 0, column: 0, message: '', ...place }),
  ]);
  expect(diagnostics[0]?.message).toContain(names);
  expect(diagnostics[0]?.message).toContain(mend);
}

function placeIn(file: string, text: string): { file: string; line: number; column: number } | null {
  const index = text.indexOf(marker);
  if (index === -1) return null;
  const lines = text.slice(0, index + marker.length).split('\n');
  return { file, line: lines.length, column: lines.at(-1)!.length + 1 };
}

function shortly(diagnostic: Diagnostic): string {
  return formatDiagnostic({ ...diagnostic, message: '' }).trim();
}

import { afterAll, expect, it } from 'vitest';
import { formatDiagnostic, type Diagnostic, type DiagnosticCode } from '../../diagnostics/index.js';
import { imports, ServiceFixture } from './service-fixture.js';

/** A mistake and its expected diagnostic. */
export interface DiagnosticCase {
  readonly code: DiagnosticCode;
  /** A description of the mistake. */
  readonly title: string;
  /** Sources by path below `src`, or one source. A comment of a single `!` precedes the reported location. */
  readonly source: string | Readonly<Record<string, string>>;
  /** Part of the message: the names involved. */
  readonly names: string;
  /** Part of the message: the fix. */
  readonly fix: string;
}

const marker = '/*!*/';

/** Expects exactly one diagnostic per case, at its location, and a case for every code of the table. */
export function testDiagnostics(cases: readonly DiagnosticCase[], table: object): void {
  const fixture = new ServiceFixture({});
  afterAll(() => fixture[Symbol.dispose]());

  it.each(cases)('$code: $title', ({ code, source, names, fix }) => {
    const files = typeof source === 'string' ? { 'orders.ts': source } : source;
    const sources = Object.entries(files).map(([path, text]) => [`src/${path}`, imports + text] as const);
    fixture.replaceSources(Object.fromEntries(sources));
    const { diagnostics } = fixture.analyze();
    const place = sources.map(([path, text]) => placeIn(path, text)).find((found) => found !== null);
    expect(diagnostics.map((diagnostic) => shortly(diagnostic))).toEqual([
      shortly({ code, file: '', line: 0, column: 0, message: '', ...place }),
    ]);
    expect(diagnostics[0]?.message).toContain(names);
    expect(diagnostics[0]?.message).toContain(fix);
  });

  it('has a case for every code', () => {
    expect([...new Set(cases.map(({ code }) => code))].toSorted()).toEqual(Object.keys(table).toSorted());
  });
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

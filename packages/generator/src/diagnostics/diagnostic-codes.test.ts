import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { diagnosticCodes } from './diagnostic-codes.js';

const page = readFileSync(new URL('../../../../docs/reference/diagnostics.md', import.meta.url), 'utf8');
const sections = page
  .split(/^### /m)
  .slice(1)
  .map((section) => ({ heading: section.slice(0, section.indexOf('\n')), text: section }));

describe('docs/reference/diagnostics.md', () => {
  it('has a section for every code, in order, and for no other', () => {
    const expected = Object.entries(diagnosticCodes).map(([code, { title }]) => `${code}: ${title}`);
    expect(sections.map(({ heading }) => heading)).toEqual(expected.toSorted());
  });

  it.each(sections)('$heading has an example and a fix', ({ text }) => {
    expect(text).toMatch(/^```(?:ts|jsonc)$/m);
    expect(text).toMatch(/^\*\*Fix:\*\* \S/m);
  });
});

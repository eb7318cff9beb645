import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { explanationsOf } from '../../tools/cli/explanations.mjs';
import { svc } from './svc.js';

const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const codesOf = (page: string, pattern: RegExp): readonly string[] =>
  [...text(page).matchAll(pattern)].map(([, code]) => code!);

const diagnostics = codesOf('docs/reference/diagnostics.md', /^### (SVC\d+): /gm);
const errors = codesOf('docs/reference/errors.md', /^\| `(SVC_\w+)` /gm);

describe('svc explain', () => {
  it('explains a diagnostic with an example and a fix', async () => {
    const { code, out } = await svc(['explain', 'SVC1001']);
    expect([code, out]).toEqual([
      0,
      `SVC1001: A type is any

\`any\` does not describe the JSON, so every value would be accepted.

    export class CreateOrder implements Command {
      total!: any;
    }

Fix: Declare the type. To accept any JSON, use \`unknown\`.`,
    ]);
  });

  it('explains an error of a service, in any case', async () => {
    const { out } = await svc(['explain', 'svc_stream_busy']);
    expect(out).toMatch(/^SVC_STREAM_BUSY: Too many commands of a host wait for one stream\n\nFix: Retry later\./);
  });

  it('knows every code of the documentation, and names no file that users do not have', async () => {
    const codes = [...diagnostics, ...errors];
    expect([diagnostics.length > 100, errors.length > 80]).toEqual([true, true]);
    for (let i = 0; i < codes.length; i += 20) {
      const wanted = codes.slice(i, i + 20);
      const { code, out } = await svc(['explain', '--json', ...wanted]);
      const found = JSON.parse(out) as { code: string; title: string; text: string }[];
      expect([code, found.map((one) => one.code)]).toEqual([0, wanted]);
      for (const one of found) {
        expect(one.text).toContain('Fix: ');
        expect(one.title + one.text).not.toMatch(/\.md\b|\]\(|```|\*\*/);
      }
    }
  });

  it.each([
    [['SVC1O05'], 'Unknown code "SVC1O05". Did you mean SVC1005'],
    [['SVC_STREAM_BUZY'], 'Did you mean SVC_STREAM_BUSY?'],
    [['hello'], 'Unknown code "hello".'],
    [['constructor'], 'Unknown code "constructor".'],
    [[], 'No code given.'],
    [Array.from({ length: 21 }, () => 'SVC1001'), 'Pass at most 20 codes.'],
  ])('rejects %j', async (codes, message) => {
    const { code, out, error } = await svc(['explain', ...codes]);
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain(message);
  });

  it('has the texts of the documentation; if not, run npm run cli', () => {
    const pages = [text('docs/reference/diagnostics.md'), text('docs/reference/errors.md')] as const;
    expect(JSON.parse(text('packages/cli/explanations.json'))).toEqual(explanationsOf(...pages));
  });
});

import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { imports, ServiceFixture } from './testing/service-fixture.js';

const page = readFileSync(new URL('../../../../docs/reference/diagnostics.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^### (SVC1[0-35689]\d\d):.*?^```ts\n(.*?)^```/gms)].map(([, code, text]) => ({
  code: code!,
  text: text!,
}));

/** A command that examples about something else refer to. */
const servedCommand = `@commandEndpoint<CreateOrder, void>({ restRoute: '/orders' })\nexport class CreateOrder implements Command {}\n`;

/** One file, or several if comments name them. */
function filesOf(text: string): Record<string, string> {
  const parts = text.split(/^\/\/ (\S+\.ts)\n/m);
  const [only] = parts;
  const files: Record<string, string> = {};
  // An example about imports has its own imports.
  const header = /^import .*\bCommand\b/m.test(text) ? '' : imports;
  if (parts.length === 1) files['src/example.ts'] = header + only;
  for (let i = 1; i < parts.length; i += 2) files[`src/${parts[i]}`] = imports + parts[i + 1];
  if (!text.includes('class CreateOrder implements')) files['src/create-order.ts'] = imports + servedCommand;
  return files;
}

describe('the examples in docs/reference/diagnostics.md', () => {
  const fixture = new ServiceFixture({});
  afterAll(() => fixture[Symbol.dispose]());

  it.each(examples)('trigger $code', ({ code, text }) => {
    fixture.replaceSources(filesOf(text));
    expect(fixture.analyze().diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
  });
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorCodes } from './error-codes.js';

it('has the same codes and meanings as docs/reference/errors.md', () => {
  const page = readFileSync(new URL('../../../../docs/reference/errors.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(SVC_\w+)` +\| ([^|]+?) +\|/gm)].map(([, code, meaning]) => [code, meaning]);
  expect(Object.fromEntries(rows)).toEqual(errorCodes);
});

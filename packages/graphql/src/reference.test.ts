import { readFileSync } from 'node:fs';
import { pageBounds } from '@svc/core/hosting';
import { expect, it } from 'vitest';
import { graphQLErrorCodes } from './index.js';
import { defaultAnonymousLimits, defaultLimits, settingsOf } from './options.js';

const page = readFileSync(new URL('../../../docs/reference/graphql.md', import.meta.url), 'utf8');

it('lists every error code, and no other', () => {
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| (.+?) +\|$/gm)].map(([, code, meaning]) => [code, meaning]);
  expect(Object.fromEntries(rows)).toEqual(graphQLErrorCodes);
});

it('lists every limit with its default, and every option', () => {
  const rows = [...page.matchAll(/^\| `limits\.(\w+)` +\| (\d+) +\| (\d+) +\|/gm)];
  expect(Object.fromEntries(rows.map(([, name, value]) => [name, Number(value)]))).toEqual(defaultLimits);
  expect(Object.fromEntries(rows.map(([, name, , value]) => [name, Number(value)]))).toEqual(defaultAnonymousLimits);
  const { limits: _limits, anonymous: _anonymous, ...others } = settingsOf({});
  for (const option of Object.keys(others)) expect(page).toContain(`| \`${option}\``);
});

it('has the largest page and page size', () => {
  const { page: number, pageSize } = pageBounds;
  expect(page).toContain(`\`page\` is 1 to ${number.most} and \`pageSize\` 1 to ${pageSize.most}.`);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { declarationsOf, entryPoints, exportedNames } from '../../tools/api/exports.mjs';
import { apiPage } from '../../tools/api/page.mjs';
import { namesInUse } from './names-in-use.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const entries = entryPoints(root);
/** Generated code and tests are the users of these; the first is emitted, and the second are not part of a service. */
const withoutUsers = new Set(['@svc/core/json', '@svc/core/testing', '@svc/fastify/testing']);

it('lists what the packages export in docs/reference/api.md, which "npm run api" writes', () => {
  expect(readFileSync(join(root, 'docs/reference/api.md'), 'utf8')).toBe(apiPage(root));
});

it('exports each name of @svc/core from one entry point', () => {
  const names = entries
    .filter(({ specifier }) => specifier.startsWith('@svc/core') && specifier !== '@svc/core/json')
    .flatMap(({ file }) => exportedNames(file));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe.each(entries)('$specifier', ({ specifier, file }) => {
  it('describes every exported name in its doc comment', () => {
    const isDescribed = (name: string): boolean => declarationsOf(file, name).some(({ comment }) => comment !== '');
    expect(exportedNames(file).filter((name) => !isDescribed(name))).toEqual([]);
  });

  it.skipIf(withoutUsers.has(specifier))('exports no name that no example, guide or other package uses', () => {
    const used = namesInUse(root, specifier);
    expect(exportedNames(file).filter((name) => !used.has(name))).toEqual([]);
  });
});

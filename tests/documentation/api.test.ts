import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { declarationsOf, entryPoints, exportedNames } from '../../tools/api/exports.mjs';
import { apiPage } from '../../tools/api/page.mjs';
import { namesInUse } from './names-in-use.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const entries = entryPoints(root);
/** Where authors type names. `@svc/core/json` is for generated code, and `@svc/core/testing` for tests. */
const typedByAuthors = ['@svc/core', '@svc/core/storage', '@svc/core/transport', '@svc/core/hosting'];

it('lists what the packages export in docs/reference/api.md, which "npm run api" writes', () => {
  const written = readFileSync(join(root, 'docs/reference/api.md'), 'utf8').split('\n');
  const expected = apiPage(root).split('\n');
  expect(expected.filter((line) => !written.includes(line))).toEqual([]);
  expect(written).toHaveLength(expected.length);
});

it('exports each name of @svc/core from one entry point', () => {
  const names = entries
    .filter(({ specifier }) => specifier.startsWith('@svc/core') && specifier !== '@svc/core/json')
    .flatMap(({ file }) => exportedNames(file));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it.each(entries)('describes every name of $specifier in its doc comment', ({ file }) => {
  const isDescribed = (name: string): boolean => declarationsOf(file, name).some(({ comment }) => comment !== '');
  expect(exportedNames(file).filter((name) => !isDescribed(name))).toEqual([]);
});

it.each(typedByAuthors)('exports no name from %s that no example, guide or other package uses', (specifier) => {
  const { file } = entries.find((entry) => entry.specifier === specifier)!;
  const used = namesInUse(root, specifier);
  expect(exportedNames(file).filter((name) => !used.has(name))).toEqual([]);
});

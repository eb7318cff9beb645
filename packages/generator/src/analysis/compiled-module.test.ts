import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireCompiled } from './compiled-module.js';

const folder = fileURLToPath(new URL(`../../.cache/compiled-${process.pid}`, import.meta.url));
const path = join(folder, 'module.cjs');

describe('a module with a code cache', () => {
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, "module.exports = { here: __dirname, sep: require('node:path').sep };");
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['there is no cache and none can be written', join(path, 'not-a-folder', 'cached')],
    ['the cache is invalid', join(folder, 'cached')],
  ])('is loaded when %s', (_, cacheFile) => {
    if (dirname(cacheFile) === folder) writeFileSync(cacheFile, Buffer.alloc(4096, 7));
    expect(requireCompiled(path, cacheFile)).toMatchObject({ here: folder, sep: expect.stringMatching(/[/\\]/) });
  });
});

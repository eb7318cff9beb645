import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireCompiled } from './compiled-module.js';

const folder = fileURLToPath(new URL(`../../.cache/compiled-${process.pid}`, import.meta.url));
const path = join(folder, 'module.cjs');

describe('a module that was compiled before', () => {
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, "module.exports = { here: __dirname, sep: require('node:path').sep };");
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['nothing was kept, and nothing can be', join(path, 'not-a-folder', 'kept')],
    ['what was kept is not what V8 writes', join(folder, 'kept')],
  ])('is loaded when %s', (_, keptAt) => {
    if (dirname(keptAt) === folder) writeFileSync(keptAt, Buffer.alloc(4096, 7));
    expect(requireCompiled(path, keptAt)).toMatchObject({ here: folder, sep: expect.stringMatching(/[/\\]/) });
  });
});

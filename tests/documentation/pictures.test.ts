/** The pictures of the documentation, which `npm run docs:pictures` writes. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { pictures } from '../../tools/pictures/pictures.mjs';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const files = readdirSync(join(docs, 'pictures')).filter((name) => name.endsWith('.png'));
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(join(docs, name), 'utf8'))
  .join('\n');

it('has the pictures that the command writes, and no others', () => {
  expect(files.toSorted()).toEqual(pictures.map(({ name }) => `${name}.png`).toSorted());
});

it.each(files)('shows %s, of at most 100 kB, with a text that describes it', (name) => {
  expect(statSync(join(docs, 'pictures', name)).size).toBeLessThanOrEqual(100_000);
  const [, text = ''] = new RegExp(`!\\[([^\\]]*)\\]\\([./]*pictures/${name}\\)`).exec(pages) ?? [];
  expect(text.length).toBeGreaterThan(20);
});

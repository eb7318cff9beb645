/** What holds for every page of the documentation, whatever else is tested of it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { slugOf } from '../../../tools/site/slug.mjs';
import { pages } from '../pages.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const below = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

describe.each(pages)('%s', (page) => {
  const text = textOf(page);

  it('links to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
    const broken = links.filter(([, path = '', heading]) => {
      const target = path === '' ? page : relative(root, join(root, dirname(page), path));
      if (!existsSync(join(root, target))) return true;
      return heading !== undefined && !headingsOf(target).includes(heading);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('runs svc where it is installed: by npx', () => {
    const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands);
    const bare = blocks.flatMap((commands) => commands.match(/^(?:.*[;&|(] *)?svc .*$/gm) ?? []);
    expect(bare).toEqual([]);
  });
});

it.each(pages)('%s gives every host that it shows the limits of serverLimits', (page) => {
  const sources = [...textOf(page).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, source = '']) => source);
  const unlimited = sources.filter((source) => /\bFastify\((?!\{ \.\.\.serverLimits\()/.test(source));
  expect(unlimited).toEqual([]);
});

it('every guide can be found from the README', () => {
  const guides = below('docs/guides').filter((path) => !textOf('README.md').includes(`(${path})`));
  expect(guides).toEqual([]);
});

/** The headings of a page as its links name them. */
function headingsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slugOf(heading));
}

/** Every link between pages leads to a file that exists, and every anchor to a heading. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { slugOf } from '../../tools/site/slug.mjs';
import { pages, root } from './pages.js';

const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const withoutCode = (text: string): string => text.replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '');

/** The anchors of a page: its headings, and those that it has as HTML. */
function anchorsOf(path: string): ReadonlySet<string> {
  const text = withoutCode(read(path));
  const found = new Set<string>();
  for (const [, heading] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading!.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
    const slug = slugOf(plain);
    let unique = slug;
    for (let i = 1; found.has(unique); i++) unique = `${slug}-${i}`;
    found.add(unique);
  }
  for (const [, id] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) found.add(id!);
  return found;
}

/** What is wrong with the links of a page. */
function brokenLinksIn(path: string, text: string): string[] {
  const plain = withoutCode(text).replaceAll(/`[^`\n]*`/g, '');
  const targets = [...plain.matchAll(/\]\(([^()\s]+(?:\([^()\s]*\))?)\)/g)].map(([, target]) => target!);
  return targets.flatMap((target) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [file, anchor] = target.split('#') as [string, string | undefined];
    const url = new URL(file, new URL(path, root));
    if (!existsSync(url)) return [`${target}: there is no such file`];
    const name = url.href.slice(root.href.length);
    if (anchor === undefined || statSync(url).isDirectory() || !name.endsWith('.md')) return [];
    return anchorsOf(name).has(anchor) ? [] : [`${target}: ${name} has no such heading`];
  });
}

it.each(pages.filter((path) => existsSync(new URL(path, root))))('%s has no broken links', (path) => {
  expect(brokenLinksIn(path, read(path))).toEqual([]);
});

describe('a broken link is found', () => {
  it.each([
    ['a missing file', '[x](nowhere.md)', 'nowhere.md: there is no such file'],
    ['a missing heading', '[x](audit.md#nothing)', 'audit.md#nothing: docs/guides/audit.md has no such heading'],
    ['a missing heading of the page', '[x](#nothing)', '#nothing: docs/guides/health.md has no such heading'],
  ])('%s', (_what, text, problem) => {
    expect(brokenLinksIn('docs/guides/health.md', text)).toEqual([problem]);
  });
});

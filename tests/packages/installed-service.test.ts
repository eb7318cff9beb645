/** Does what docs/guides/own-service.md says in an empty folder, with packages of the private registry and nothing of this checkout. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Guide, Running } from '../documentation/guides/guide.js';
import { OutsideFolder } from './outside-folder.js';

const guide = new Guide('own-service.md');
const install = guide.blocks.find(({ text }) => text.startsWith('npm install'))!.text;
let folder: OutsideFolder;

beforeAll(async () => {
  folder = await OutsideFolder.create(guide.files);
  await folder.run(install);
  await folder.run('npm run build');
}, 300_000);
afterAll(() => folder.remove());

describe('a service outside of the checkout', () => {
  it('starts, answers a POST as the guide shows, and is audited', async () => {
    const { scripts } = JSON.parse(folder.read('package.json')) as { scripts: { start: string } };
    const service = await Running.start(scripts.start.split(' ').slice(1), folder.directory);
    const post = guide.steps.find(({ commands }) => commands.startsWith('curl'))!;
    const [, body] = / -d '(.+)'$/.exec(post.commands)!;
    const response = await fetch(`${service.url}/books/lend`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body!,
    });
    expect([response.status, await response.text()]).toEqual([200, post.answer]);
    expect(await service.end()).toBe(0);
    const audited = await folder.run('npx svc audit query --json');
    expect(audited).toContain('library.LendBook');
  });

  it('finds nothing in the checkout: no link leaves its folder, and no file of svc names the checkout', () => {
    expect(folder.waysToCheckout()).toEqual([]);
    const { dependencies, devDependencies } = JSON.parse(folder.read('package.json')) as Record<string, object>;
    const resolveFrom = createRequire(join(folder.directory, 'package.json'));
    const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name !== '@types/node');
    const paths = names.map((name) => realpathSync(resolveFrom.resolve(name)));
    expect(paths.filter((path) => !path.startsWith(folder.directory))).toEqual([]);
  });

  it('has one copy of each package of svc', () => {
    const copies = readdirSync(join(folder.directory, 'node_modules'), { recursive: true, encoding: 'utf8' }).filter(
      (path) => /(?:^|\/)@svc\/[^/]+$/.test(path),
    );
    expect(new Set(copies.map((path) => path.slice(path.indexOf('@svc/')))).size).toBe(copies.length);
  });

  it('can be debugged: every source map of svc contains its sources', () => {
    const svc = join(folder.directory, 'node_modules/@svc');
    const maps = readdirSync(svc, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.map'));
    const empty = maps.filter((path) => {
      const { sources, sourcesContent = [] } = JSON.parse(readFileSync(join(svc, path), 'utf8')) as {
        sources: string[];
        sourcesContent?: (string | null)[];
      };
      return sources.some((_source, i) => typeof sourcesContent[i] !== 'string');
    });
    expect([maps.length > 500, empty]).toEqual([true, []]);
  });
});

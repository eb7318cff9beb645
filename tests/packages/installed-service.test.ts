/** Does what docs/guides/own-service.md says in an empty folder, with packages of the private registry and nothing of this checkout. */
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installedNode, supportedNodes } from '../../tools/nodes/installed-node.mjs';
import { Guide, Running } from '../documentation/guides/guide.js';
import { root } from './outside-commands.js';
import { OutsideFolder } from './outside-folder.js';

const guide = new Guide('own-service.md');
const install = guide.blocks.find(({ text }) => text.startsWith('npm install'))!.text;
const newest = supportedNodes.at(-1)!;
let folder: OutsideFolder;

beforeAll(async () => {
  folder = await OutsideFolder.create(guide.files);
  await folder.run(install);
  await folder.run('npm run build');
  installedNode(newest);
}, 300_000);
afterAll(() => folder.remove());

describe('a service outside of the checkout', () => {
  const post = guide.steps.find(({ commands }) => commands.startsWith('curl'))!;
  const plan = guide.steps.find(({ commands }) => commands.startsWith('npx svc'))!;

  it.each(['this Node', `Node ${newest}`])('on %s starts, answers a POST, is audited and stops', async (version) => {
    const bin = version === 'this Node' ? dirname(process.execPath) : installedNode(newest);
    const { scripts } = JSON.parse(folder.read('package.json')) as { scripts: { start: string } };
    const args = scripts.start.split(' ').slice(1);
    rmSync(join(folder.directory, '.svc'), { recursive: true, force: true });
    const service = await Running.start(args, folder.directory, {}, join(bin, 'node'));
    const [, body] = / -d '(.+)'$/.exec(post.commands)!;
    const response = await fetch(`${service.url}/books/lend`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body!,
    });
    expect([response.status, await response.text()]).toEqual([200, post.answer]);
    expect(await service.end()).toBe(0);
    const svc = `PATH=${bin}:$PATH node node_modules/.bin/svc`;
    expect(await folder.run(`${svc} audit query --json`)).toContain('library.LendBook');
    // Nothing else is printed, such as a warning about SQLite.
    expect(await folder.run(`${plan.commands.replace('npx svc', svc)} 2>&1`)).toBe(`${plan.answer}\n`);
  });

  it('has a SQLite package on Node 20 only: npm skips it on later versions', async () => {
    const small = await OutsideFolder.create({ 'package.json': '{}' });
    await small.run(`PATH=${installedNode(newest)}:$PATH npm install @svc/sqlite`);
    expect(readdirSync(join(small.directory, 'node_modules/@svc'))).toEqual(['core', 'sqlite']);
    small.remove();
    const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined;
    expect(existsSync(join(folder.directory, 'node_modules/@svc/sqlite-node20'))).toBe(!hasSqlite);
  });

  it('compiles although the types of its packages are checked too', async () => {
    expect(await folder.run('npx tsc -p . --noEmit --skipLibCheck false')).toBe('');
  });

  it('finds nothing in the checkout: no link leaves its folder, and no file of svc names the checkout', () => {
    expect(folder.waysToCheckout()).toEqual([]);
    const { dependencies, devDependencies } = JSON.parse(folder.read('package.json')) as Record<string, object>;
    const resolveFrom = createRequire(join(folder.directory, 'package.json'));
    const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name !== '@types/node');
    const paths = names.map((name) => realpathSync(resolveFrom.resolve(name)));
    expect(paths.filter((path) => !path.startsWith(folder.directory))).toEqual([]);
  });

  it('would be found out if it had a link or a path to the checkout', async () => {
    const other = await OutsideFolder.create({ 'src/main.ts': `import ${JSON.stringify(root)};` });
    mkdirSync(join(other.directory, 'node_modules/@svc'), { recursive: true });
    symlinkSync(join(root, 'packages/core'), join(other.directory, 'node_modules/@svc/core'));
    const ways = other.waysToCheckout();
    other.remove();
    expect(ways.toSorted()).toEqual([
      expect.stringContaining('@svc/core -> '),
      expect.stringContaining('main.ts contains'),
    ]);
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

/**
 * Follows docs/tutorial from the first page, in an empty folder, with packages of the private registry and nothing of this checkout. The last two pages,
 * the newest Node, and the time until the first audited response run by command: `SVC_TEST_TUTORIAL=1 npx vitest run tests/packages/tutorial`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installedNode, supportedNodes } from '../../../tools/nodes/installed-node.mjs';
import { freePorts } from '../../../tools/ports/index.mjs';
import { partsOfSite } from '../../../tools/site/parts.mjs';
import { Running } from '../../documentation/guides/guide.js';
import { root } from '../outside-commands.js';
import { OutsideFolder } from '../outside-folder.js';
import { createDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { Reader } from './reader.js';
import { readTutorialPage, type Step } from './tutorial-page.js';

const [tutorial] = partsOfSite();
const pages = tutorial!.groups.flatMap((group) => group.pages.map(({ path }) => path.replace('tutorial/', '')));
const limit = { timeout: 300_000 };
const isWhole = process.env['SVC_TEST_TUTORIAL'] === '1';
const newest = supportedNodes.at(-1)!;
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { version: string }>;
};

let folder: OutsideFolder;
let database: TestDatabase;
let reader: Reader;
let unfinished: string | null = null;

beforeAll(async () => {
  folder = await OutsideFolder.create();
  database = await createDatabase();
  const [port = 0] = await freePorts(1);
  folder.env['PORT'] = String(port);
  // What a reader answers when npm asks before it downloads @svc/create.
  folder.env['npm_config_yes'] = 'true';
  const { host, pathname } = new URL(database.url);
  reader = new Reader(folder, {
    // A registry can lack the binaries of other platforms for the newest versions, and then npm ci fails: use those of this repository.
    'cd library\n': `cd library\nnpm pkg set overrides.rolldown=${lock.packages['node_modules/rolldown']!.version}\n`,
    // The same program, without a start of npm for each command.
    'npx svc ': 'node_modules/.bin/svc ',
    '127.0.0.1:3000': `127.0.0.1:${port}`,
    'postgres://library:development@127.0.0.1:5432/library': database.url,
    '127.0.0.1:5432/library': host + pathname,
  });
}, 120_000);
afterAll(async () => {
  await reader?.leave();
  await database?.remove();
  folder?.remove();
});

async function follow(name: string): Promise<readonly number[]> {
  if (unfinished !== null) throw new Error(`docs/tutorial/${unfinished}.md failed, and this page continues it.`);
  unfinished = name;
  const durations = await reader.follow(readTutorialPage(name));
  unfinished = null;
  return durations;
}

describe('the tutorial', () => {
  const [first = '', ...others] = pages.slice(0, -2);

  it(
    `${first}: every step does what the page says; in the whole run, the first audited response takes less than 60 s, installation aside`,
    limit,
    async () => {
      const { steps } = readTutorialPage(first);
      const durations = await follow(first);
      const audited = steps.findIndex((step) => step.kind === 'run' && step.commands.includes('svc audit'));
      const isInstallation = (step: Step): boolean => step.kind === 'run' && step.commands.endsWith('npm install');
      const own = durations.filter((_ms, i) => i <= audited && !isInstallation(steps[i]!));
      expect(own.length).toBe(audited);
      const firstResponseMs = own.reduce((sum, ms) => sum + ms);
      console.log(`The first audited response took ${Math.round(firstResponseMs / 100) / 10} s, installation aside.`);
      expect(firstResponseMs).toBeLessThan(isWhole ? 60_000 : 300_000);
    },
  );

  it.each(others)('%s: every step does what the page says', limit, async (name) => {
    expect((await follow(name)).length).toBeGreaterThan(5);
  });

  it.runIf(isWhole)(`${pages.at(-2)}: every step does what the page says`, limit, async () => {
    expect((await follow(pages.at(-2)!)).length).toBeGreaterThan(5);
  });
});

/** Before the last page, which removes packages. */
describe('what its reader has installed', () => {
  const library = (): string => join(folder.directory, 'library');

  it('finds nothing in the checkout: no link leaves its folder, and no file of svc names the checkout', () => {
    expect(folder.waysToCheckout('library')).toEqual([]);
    const { dependencies, devDependencies } = JSON.parse(folder.read('library/package.json')) as Record<string, object>;
    const resolveFrom = createRequire(join(library(), 'package.json'));
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
    const copies = readdirSync(join(library(), 'node_modules'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      /(?:^|\/)@svc\/[^/]+$/.test(path),
    );
    expect(new Set(copies.map((path) => path.slice(path.indexOf('@svc/')))).size).toBe(copies.length);
  });

  it('can be debugged: every source map of svc contains its sources', () => {
    const svc = join(library(), 'node_modules/@svc');
    const maps = readdirSync(svc, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.map'));
    const empty = maps.filter((path) => {
      const { sources, sourcesContent = [] } = JSON.parse(readFileSync(join(svc, path), 'utf8')) as {
        sources: string[];
        sourcesContent?: (string | null)[];
      };
      return sources.some((_source, i) => typeof sourcesContent[i] !== 'string');
    });
    expect([maps.length > 100, empty]).toEqual([true, []]);
  });

  it('compiles although the types of its packages are checked too', async () => {
    expect(await folder.run('npx tsc -p . --noEmit --skipLibCheck false', 'library')).toBe('');
  });

  it.runIf(isWhole)(`runs on Node ${newest}, without warnings`, async () => {
    const bin = installedNode(newest);
    const service = await Running.start(['--env-file=.env', 'dist/main.js'], library(), {}, join(bin, 'node'));
    expect((await fetch(`${service.url}/members`)).status).toBe(401);
    expect(await service.end()).toBe(0);
    const records = await folder.run(
      `PATH=${bin}:$PATH node node_modules/.bin/svc audit query --json 2>&1 >audit.json; cat audit.json`,
      'library',
    );
    expect(JSON.parse(records)).toMatchObject({ database: '.svc/library.db' });
    expect(records).toContain('library.LendBook');
  });

  it.runIf(isWhole)('has a SQLite package on Node 20 only: npm skips it on later versions', async () => {
    const small = await OutsideFolder.create({ 'package.json': '{}' });
    await small.run(`PATH=${installedNode(newest)}:$PATH npm install @svc/sqlite`);
    expect(readdirSync(join(small.directory, 'node_modules/@svc'))).toEqual(['core', 'sqlite']);
    small.remove();
    const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined;
    expect(existsSync(join(library(), 'node_modules/@svc/sqlite-node20'))).toBe(!hasSqlite);
  });
});

describe('the end of the tutorial', () => {
  it.runIf(isWhole)(`${pages.at(-1)}: every step does what the page says`, limit, async () => {
    expect((await follow(pages.at(-1)!)).length).toBeGreaterThan(5);
  });

  it('builds a version with the steps of the Dockerfile', () => {
    const steps = [...folder.read('library/Dockerfile').matchAll(/^RUN (npm .+)$/gm)].map(([, command]) => command!);
    expect(steps).toHaveLength(2);
    const commands = readTutorialPage(pages.at(-1)!).steps.flatMap((step) =>
      step.kind === 'run' ? [step.commands] : [],
    );
    expect(commands.filter((each) => each.startsWith(steps.join('\n')))).toHaveLength(1);
  });
});

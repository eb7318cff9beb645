/**
 * Every combination of the flags of `svc new`, installed from packed packages outside of the repository, with the current versions of other packages:
 * `SVC_TEST_SCAFFOLD=1 npx vitest run tests/create/all-combinations.test.ts`. It installs once, and needs a registry.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../postgres/test-database.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isWanted = process.env['SVC_TEST_SCAFFOLD'] === '1';
const folder = mkdtempSync(join(tmpdir(), 'svc-create-'));
afterAll(() => rmSync(folder, { recursive: true }));

const choices = [['--database', 'postgres'], ['--auth', 'jwt'], ['--graphql'], ['--broker']];
const combinations = Array.from({ length: 2 ** choices.length }, (_, bits) =>
  choices.filter((_choice, i) => (bits & (1 << i)) !== 0).flat(),
);

const npm = (args: readonly string[], cwd: string, variables: Record<string, string> = {}): string =>
  execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

interface Manifest {
  name: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  overrides?: Record<string, string>;
}
const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;

describe.runIf(isWanted)('npm create @svc', () => {
  /** Packs everything, and installs what any of the services needs above all of them. */
  beforeAll(() => {
    npm(['pack', '--workspaces', '--ignore-scripts', '--pack-destination', folder], root);
    const tarballs = readdirSync(folder).filter((name) => name.startsWith('svc-'));
    const packed = Object.fromEntries(tarballs.map((name) => [`@svc/${name.split('-')[1]}`, `file:./${name}`]));
    const { dependencies, devDependencies } = manifestOf(join(root, 'packages/create/templates/service'));
    const needed = Object.entries({ ...dependencies, ...devDependencies, '@svc/create': '' });
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({
        private: true,
        dependencies: Object.fromEntries(needed.map(([name, version]) => [name, packed[name] ?? version])),
        overrides: Object.fromEntries(
          Object.entries(packed).map(([name, file]) => [
            name,
            needed.some(([own]) => own === name) ? `$${name}` : file,
          ]),
        ),
      }),
    );
    npm(['install'], folder);
  }, 600_000);

  it.each(combinations.map((flags) => [flags.join(' ') || 'no flags', flags] as const))(
    'with %s: builds, passes its tests, and runs with svc dev',
    async (_name, flags) => {
      const service = join(folder, `library${combinations.indexOf(flags)}`);
      execFileSync(process.execPath, [join(folder, 'node_modules/@svc/create/bin/create.js'), service, ...flags]);
      const PATH = [join(folder, 'node_modules/.bin'), process.env['PATH']].join(':');
      npm(['run', 'build'], service, { PATH });
      expect(npm(['test'], service, { PATH })).toMatch(/Test Files +\d+ passed/);

      const database = flags.includes('postgres') ? await createDatabase() : null;
      const env = { PATH, PORT: '0', ...(database !== null && { DATABASE_URL: database.url }) };
      const child = spawn('svc', ['dev'], { cwd: service, env, stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        let printed = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
        await expect.poll(() => printed, { timeout: 120_000 }).toMatch(/Listening at http\S+ /);
        const [, url = ''] = /Listening at (\S+) /.exec(printed)!;
        const headers = flags.includes('jwt')
          ? { authorization: `Bearer ${npm(['run', '-s', 'token'], service).trim()}` }
          : {};
        expect((await fetch(`${url}/books`, { headers })).status).toBe(200);
        expect((await fetch(`${url}/books`)).status).toBe(flags.includes('jwt') ? 401 : 200);
      } finally {
        child.kill('SIGTERM');
        await once(child, 'exit');
        await database?.remove();
      }
    },
    300_000,
  );
});

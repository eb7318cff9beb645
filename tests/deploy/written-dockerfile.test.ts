/** `svc deploy manifests --dockerfile --out` in the folder of a service. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dockerfile, dockerignore } from '@svc/deploy/manifests';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { svc, type Answer } from '../command-line/svc.js';

const previous = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-dockerfile-'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(previous);
  rmSync(folder, { recursive: true });
});

const write = (): Promise<Answer> => svc(['deploy', 'manifests', '--dockerfile', '--out', '.']);
const manifest = (...packages: string[]): void => {
  const dependencies = Object.fromEntries(packages.map((name) => [name, '^0.1.0']));
  writeFileSync('package.json', JSON.stringify({ name: 'library', dependencies }));
};
const written = (): string => readFileSync('Dockerfile', 'utf8');

it('overwrites no file that has other content, and names each', async () => {
  writeFileSync('Dockerfile', 'FROM scratch\n');
  const one = await write();
  expect(one).toMatchObject({
    code: 1,
    error:
      'Dockerfile exists and has other content. Nothing was written. Remove it, or pass another folder with --out.',
  });
  expect([written(), existsSync('.dockerignore')]).toEqual(['FROM scratch\n', false]);
  writeFileSync('.dockerignore', 'mine\n');
  expect((await write()).error).toContain('Dockerfile and .dockerignore exist and have other content.');
});

it('writes its own files again, also for another database', async () => {
  manifest('@svc/postgres', '@svc/sqlite');
  expect((await write()).code).toBe(0);
  expect([written(), readFileSync('.dockerignore', 'utf8')]).toEqual([dockerfile(), dockerignore()]);
  expect((await write()).code).toBe(0);
  manifest('@svc/sqlite');
  expect((await write()).code).toBe(0);
  expect(written()).toBe(dockerfile({ sqlite: true }));
});

it.each([
  [['@svc/sqlite'], true],
  [['@svc/sqlite-node20'], true],
  [['@svc/postgres'], false],
  [[], false],
])('a service with %j has a volume for its database: %s', async (packages, expected) => {
  manifest(...packages);
  await write();
  expect(written().includes('VOLUME /service/.svc')).toBe(expected);
});

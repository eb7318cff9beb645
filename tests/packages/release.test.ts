/** Releases a small repository with the script of this one: real git, real npm, and a registry on this machine. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRegistry, type PrivateRegistry } from '../../tools/registry/registry.mjs';
import { root } from './outside-commands.js';
import type { OutsideFolder } from './outside-folder.js';
import { commitAll, smallRepository } from './small-repository.js';

let registry: PrivateRegistry;
let folder: OutsideFolder;

beforeAll(async () => {
  registry = await createRegistry(['@small']);
  folder = await smallRepository(registry.npmrc);
}, 60_000);
afterAll(async () => {
  folder?.remove();
  await registry?.remove();
});

const release = async (...args: string[]): Promise<string> =>
  await folder.run(`${process.execPath} ${join(root, 'scripts/release.mjs')} ${args.join(' ')}`);

/** The versions of a package that the registry has. */
async function versionsOf(name: string): Promise<readonly string[]> {
  const response = await fetch(`${registry.url}@small%2f${name}`);
  return response.ok ? Object.keys(((await response.json()) as { versions: object }).versions) : [];
}

describe('a release', () => {
  it('reports everything that prevents it at once', async () => {
    folder.write('packages/base/dist/index.js', 'export const base = 2;\n');
    const attempt = release('--dry-run', '--version', '1.1.0');
    await expect(attempt).rejects.toThrow(
      'The working tree has changes that are not committed: packages/base/dist/index.js.',
    );
    await expect(attempt).rejects.toThrow('@small/base has the version 1.0.0, not 1.1.0.');
    await expect(attempt).rejects.toThrow('@small/app needs @small/base ^1.0.0, not ^1.1.0.');
    await expect(attempt).rejects.toThrow('CHANGELOG.md has no section "## 1.1.0 - <date>".');
    await folder.run('git checkout --quiet .');
  });

  it('packs, checks and shows the packages in a dry run, in the order of their dependencies, and publishes nothing', async () => {
    const printed = await release('--dry-run');
    expect(printed).toMatch(/^Release of 1\.0\.0 from [0-9a-f]{7,}, dry run: 2 packages$/m);
    expect(printed).toMatch(
      /^package +version +files +packed\n@small\/base +1\.0\.0 +3 +0\.\d kB\n@small\/app +1\.0\.0 +3 +0\.\d kB$/m,
    );
    expect(printed).toContain('publint and "are the types wrong" accept all tarballs.');
    expect(printed).toContain(`publishes them to ${registry.url}, in this order.`);
    expect([await versionsOf('base'), await versionsOf('app')]).toEqual([[], []]);
  });

  it('resumes: skips what the registry has, and publishes the rest', async () => {
    await folder.run('npm publish .cache/release/1.0.0/small-base-1.0.0.tgz');
    const printed = await release();
    expect(printed).toContain('@small/base@1.0.0 is already published.\n');
    expect(printed).toContain('+ @small/app@1.0.0\n');
    expect(printed).toContain('Tag it: git tag v1.0.0');
    expect([await versionsOf('base'), await versionsOf('app')]).toEqual([['1.0.0'], ['1.0.0']]);
  });

  it('never replaces a version, and rejects a package whose manifest names a missing file', async () => {
    folder.write('packages/base/dist/index.js', 'export const base = 3;\n');
    await commitAll(folder);
    await expect(release()).rejects.toThrow('The registry has @small/base@1.0.0 with other content.');
    await folder.run('git rm --quiet packages/app/dist/index.js');
    await commitAll(folder);
    await expect(release()).rejects.toThrow('@small/app: publint: ');
  });

  it('is prepared by one command, which writes the versions and the date', async () => {
    await folder.run('git reset --quiet --hard HEAD~1');
    folder.write('CHANGELOG.md', '# Changelog\n\n## 1.1.0 - Unreleased\n\nMore.\n');
    await release('--prepare', '--version', '1.1.0');
    expect(folder.read('packages/base/src/migrations/library-version.ts')).toContain("'1.1.0'");
    expect(folder.read('CHANGELOG.md')).toMatch(/^## 1\.1\.0 - \d{4}-\d\d-\d\d$/m);
    expect(JSON.parse(folder.read('packages/app/package.json'))).toMatchObject({
      version: '1.1.0',
      peerDependencies: { '@small/base': '^1.1.0' },
    });
  });
});

/** What every package has that is published: a description, a license, a README whose code compiles, and dependencies without second copies. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { publishedPackages, rangesOf } from '../../tools/release/packages.mjs';
import { TemporaryProject } from '../generator/temporary-project.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packages = publishedPackages(root).map(({ folder, manifest, needs }) => ({
  name: manifest.name,
  folder,
  manifest,
  needs,
}));
const license = readFileSync(join(root, 'LICENSE'), 'utf8');

describe.each(packages)('$name', ({ name, folder, manifest }) => {
  it('says what it is, what it runs on, and under which license', () => {
    // npm skips an optional package that is not for its version of Node.
    const node = name === '@svc/sqlite-node20' ? '>=20.19 <22.13' : '>=20.19';
    expect(manifest).toMatchObject({ license: 'MIT', engines: { node } });
    expect(manifest.description).toMatch(/^[A-Z].*\.$/);
    expect(manifest.keywords?.length).toBeGreaterThan(3);
    expect(manifest.sideEffects).toBeDefined();
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(license);
  });

  it('has a README with its purpose, its use and its guide, without links that npm cannot follow', () => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    expect(readme.split('\n').slice(0, 3)).toEqual([`# ${name}`, '', expect.stringMatching(/^[A-Z].{20}/)]);
    expect(readme).toMatch(/^```sh\nnpm (?:install|create) /m);
    const [, guide = ''] = /^- Guide: .+, `(docs\/.+)`$/m.exec(readme) ?? [];
    expect([guide, existsSync(join(root, guide))]).toEqual([expect.stringMatching(/\.md$/), true]);
    expect(readme.match(/\]\((?!https:)[^)]*\)/g) ?? []).toEqual([]);
  });
});

// Each of these keeps state in its modules, or compares classes: a service with two copies of it fails without an error.
const shared = new Set(['@svc/core', '@svc/http', 'fastify', 'graphql', '@opentelemetry/api']);

describe('dependencies', () => {
  it.each(packages)('$name leaves the choice of the shared packages to the service', ({ name, manifest }) => {
    const own = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    // The command line and the generator are programs of their own: what they need of the service they load from it.
    expect(['@svc/cli', '@svc/generator'].includes(name) ? [] : own.filter((each) => shared.has(each))).toEqual([]);
  });

  it.each(packages)('$name accepts its own version of the other packages, and later ones without a break', (each) => {
    const { manifest, needs } = each;
    const ranges = rangesOf(manifest);
    expect(needs.map((name) => ranges[name])).toEqual(needs.map(() => `^${manifest.version}`));
  });
});

it('the READMEs show code that compiles under the strictest flags', () => {
  const project = new TemporaryProject(
    {
      'src/generated/registry.ts':
        "import type { ServiceRegistry } from '@svc/core';\nexport declare const registry: ServiceRegistry<object>;\n",
      'src/books/lend-book.ts':
        "import type { Command, Uuid } from '@svc/core';\nexport class LendBook implements Command { bookId!: Uuid; member!: string }\n",
    },
    'readmes-',
  );
  for (const { folder, name, manifest } of packages) {
    const blocks = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)];
    // Packages without a library, and those that no service imports, have nothing to show.
    const isImported = manifest.exports !== undefined && !['@svc/cli', '@svc/create'].includes(name);
    expect(blocks.length > 0).toBe(isImported);
    for (const [i, [, text = '']] of blocks.entries()) project.write(`src/${name.slice(5)}-${i}.ts`, text);
  }
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', project.directory, '--noEmit'], { encoding: 'utf8' });
  project.remove();
  expect(stdout).toBe('');
});

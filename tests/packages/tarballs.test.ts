/** The packages as npm has packed them. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsOfTarball } from '../../tools/release/check-tarball.mjs';
import { publishedPackages } from '../../tools/release/packages.mjs';
import { privateRegistry } from './private-registry.js';

const packages = publishedPackages(fileURLToPath(new URL('../..', import.meta.url)));
const tarballs = new Map<string, ArrayBuffer>();

beforeAll(async () => {
  const { url } = await privateRegistry();
  for (const { manifest } of packages) {
    const found = (await (await fetch(url + manifest.name.replace('/', '%2f'))).json()) as Packument;
    tarballs.set(manifest.name, await (await fetch(found.versions[manifest.version]!.dist.tarball)).arrayBuffer());
  }
}, 120_000);

interface Packument {
  readonly versions: Readonly<Record<string, { readonly dist: { readonly tarball: string } }>>;
}

describe.each(packages.map(({ manifest }) => manifest))('$name', ({ name, exports = {}, imports = {} }) => {
  it('is accepted by publint and by "are the types wrong"', async () => {
    // All entry points of core take 10 s; a release checks them.
    const entryPoints = name === '@svc/core' ? ['./json'] : undefined;
    expect(await faultsOfTarball(tarballs.get(name)!, entryPoints)).toEqual([]);
  });

  it('contains what its manifest names, and neither tests nor what only this checkout can use', () => {
    const files = filesOf(tarballs.get(name)!);
    const named = [...Object.values(exports).flatMap((target) => Object.values(target)), ...Object.values(imports)];
    const expected = ['LICENSE', 'README.md', 'package.json', ...named.map((path) => path.replace('./', ''))];
    expect(expected.filter((path) => !files.includes(path))).toEqual([]);
    // Templates are sources and tests of other services.
    const own = files.filter((path) => !path.startsWith('templates/'));
    expect(own.filter((path) => /\.test\.|\.tsbuildinfo$|\.d\.ts\.map$|^src\//.test(path))).toEqual([]);
  });
});

it('a tarball without what its manifest names is rejected', async () => {
  const tar = gunzipSync(tarballs.get('@svc/flags')!).toString('latin1');
  const broken = tar.replaceAll('package/dist/index.js', 'package/dist/gone0.js');
  const faults = await faultsOfTarball(gzipSync(Buffer.from(broken, 'latin1')));
  expect(faults.join('\n')).toContain('dist/index.js');
});

/** The paths in a tarball, without the folder that all are in. */
function filesOf(tarball: ArrayBuffer): string[] {
  const { stdout } = spawnSync('tar', ['-tzf', '-'], { input: new Uint8Array(tarball), encoding: 'utf8' });
  return stdout.split('\n').map((path) => path.replace(/^package\//, ''));
}

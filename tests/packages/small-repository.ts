import { OutsideFolder } from './outside-folder.js';

const manifest = (name: string, more: object): string =>
  JSON.stringify({
    name: `@small/${name}`,
    version: '1.0.0',
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20.19' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
    ...more,
  });

/** A repository with two packages, of which the first by name needs the second. It is released in seconds. */
const files = {
  'package.json': JSON.stringify({
    name: 'small',
    private: true,
    type: 'module',
    workspaces: ['packages/*'],
    scripts: { build: 'echo built' },
  }),
  'CHANGELOG.md': '# Changelog\n\n## 1.0.0 - 2026-01-31\n\nThe first version.\n',
  '.gitignore': '.cache/\n',
  'packages/app/package.json': manifest('app', { peerDependencies: { '@small/base': '^1.0.0' } }),
  'packages/app/dist/index.js': "export { base } from '@small/base';\n",
  'packages/app/dist/index.d.ts': "export { base } from '@small/base';\n",
  'packages/base/package.json': manifest('base', {}),
  'packages/base/src/migrations/library-version.ts': "export const libraryVersion = '1.0.0';\n",
  'packages/base/dist/index.js': 'export const base = 1;\n',
  'packages/base/dist/index.d.ts': 'export declare const base: number;\n',
};

/** `npmrc`: the settings of npm, with the registry for `@small`. */
export async function smallRepository(npmrc: string): Promise<OutsideFolder> {
  const folder = new OutsideFolder(npmrc, files);
  await folder.run('git init --quiet');
  await commitAll(folder);
  return folder;
}

export async function commitAll(folder: OutsideFolder): Promise<void> {
  await folder.run('git add . && git -c user.name=test -c user.email=test@example.com commit --quiet -m test');
}

/**
 * Bundles each package into one module for each of its entry points, and modules that these share. Otherwise a service would load a
 * thousand files of svc, which takes longer than everything else that it does at its start.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { build } from 'rolldown';
import { licensesOf } from '../pages/licenses.mjs';

/** Programs that are no entry point: the commands, what `svc dev` loads into the process of a service, and threads. */
const programs = ['main', 'dev/reporter', 'digesting-thread'];

/** Bundles all packages that have sources. */
export async function bundlePackages(root) {
  const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));
  await Promise.all(folders.filter((folder) => existsSync(join(folder, 'src'))).map(bundlePackage));
}

async function bundlePackage(folder) {
  const { output } = await build({
    cwd: folder,
    input: Object.fromEntries(modulesOf(folder).map((name) => [name, `src/${name}.ts`])),
    external: isInstalledWith(folder),
    platform: 'node',
    plugins: [decorators],
    output: {
      dir: join(folder, 'dist'),
      entryFileNames: '[name].js',
      // In `dist` itself: from there and from `src`, `..` is the folder of the package.
      chunkFileNames: '[name]-[hash].js',
      sourcemap: true,
    },
    logLevel: 'warn',
  });
  requireClassNames(folder, output);
  writeLicenses(folder, output);
  removeOthers(join(folder, 'dist'), new Set(output.map(({ fileName }) => fileName)));
}

/** All packages that users install. A development dependency becomes part of the bundle: TypeBox, for example, has 700 files. */
function isInstalledWith(folder) {
  const { devDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const bundled = Object.keys(devDependencies);
  return (id) => /^[^./]/.test(id) && !bundled.some((name) => id === name || id.startsWith(`${name}/`));
}

function modulesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entryPoints = Object.values(exports).map((target) => target.default.replace(/^\.\/dist\/(.+)\.js$/, '$1'));
  return [...entryPoints, ...programs.filter((name) => existsSync(join(folder, 'src', `${name}.ts`)))];
}

/** Replaces decorators, which neither the bundler nor Node knows. */
const decorators = {
  name: 'decorators',
  transform: {
    filter: { id: /\.ts$/, code: /^@/m },
    handler: async (code, id) => {
      const options = { loader: 'ts', target: 'es2022', sourcefile: id, sourcemap: true };
      const { code: lowered, map } = await transform(code, options);
      return { code: lowered, map, moduleType: 'js' };
    },
  },
};

/** The licenses of development dependencies in the bundle, which have to be distributed with it. */
function writeLicenses(folder, output) {
  const licenses = licensesOf('', modulesIn(output));
  const path = join(folder, 'dist', 'licenses.txt');
  if (licenses === '') rmSync(path, { force: true });
  else writeFileSync(path, licenses);
}

/** A class whose name is taken in its bundle would get another one, which users see in errors and logs. */
function requireClassNames(folder, output) {
  const names = new Set(
    modulesIn(output)
      .filter(existsSync)
      .flatMap((path) => classNames(readFileSync(path, 'utf8'))),
  );
  const renamed = output.flatMap(({ code = '' }) => classNames(code)).filter((name) => !names.has(name));
  if (renamed.length > 0) throw new Error(`The bundle of ${folder} renames classes: ${renamed.join(', ')}.`);
}

const modulesIn = (output) => output.flatMap(({ modules: contained = {} }) => Object.keys(contained));

const classNames = (code) => [...code.matchAll(/^[^/*]*\bclass (?!extends\b)([\w$]+)/gm)].map(([, name]) => name);

/** Deletes what an earlier build left, which npm would pack. */
function removeOthers(dist, written) {
  for (const path of readdirSync(dist, { recursive: true })) {
    if (/\.js(?:\.map)?$/.test(path) && !path.startsWith('browser') && !written.has(path)) rmSync(join(dist, path));
  }
}

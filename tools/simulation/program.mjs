/** Bundles the program of simulated processes with the sources of `core`, as a function that runs it with the globals of a process. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const esbuild = createRequire(import.meta.url)('esbuild');
const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const entries = {
  '@svc/core': 'index.ts',
  '@svc/core/storage': 'entry/storage.ts',
  '@svc/core/transport': 'entry/transport.ts',
  '@svc/core/hosting': 'entry/hosting.ts',
  '@svc/core/json': 'json/index.ts',
};
/** Everything that differs between processes, or that a seed decides. */
const globals = [
  'require',
  'Date',
  'performance',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Math',
  'crypto',
  'process',
];

/**
 * `core` is the folder with the sources of `core`. `changes` edits some of them: `{ file, edit(text) }`. Tests use it to show that defects are
 * found.
 */
export async function loadProgram({ core = folder('../../packages/core/src/'), changes = [] } = {}) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [folder('program/host.mjs')],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    plugins: [fromSources(core), ...changes.map((change) => changed(core, change))],
  });
  const names = globals.join(', ');
  const text = `(function ({ ${names} }) { const module = { exports: {} }; ${outputFiles[0].text}\nreturn module.exports; })`;
  return new Script(text, { filename: 'simulated-host.js' }).runInThisContext();
}

function fromSources(core) {
  return {
    name: 'sources',
    setup: ({ onResolve }) =>
      void onResolve({ filter: /^@svc\/core/ }, ({ path }) => ({
        path: join(core, entries[path]),
        sideEffects: false,
      })),
  };
}

function changed(core, { file, edit }) {
  const path = join(core, file);
  const filter = new RegExp(`${path.replaceAll('.', String.raw`\.`)}$`);
  return {
    name: 'changed',
    setup: ({ onLoad }) =>
      void onLoad({ filter }, async () => ({ contents: edit(await readFile(path, 'utf8')), loader: 'ts' })),
  };
}

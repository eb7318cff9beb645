/** Bundles the program of simulated processes with the sources of `core`, as a function that runs it with the globals of a process. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { globalsOf, members } from './globals.mjs';
import { epochMs } from './realm.mjs';
import { ModuleState, withState } from './module-state.mjs';

const esbuild = createRequire(import.meta.url)('esbuild');
const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const entries = {
  '@svc/core': 'index.ts',
  '@svc/core/storage': 'entry/storage.ts',
  '@svc/core/transport': 'entry/transport.ts',
  '@svc/core/hosting': 'entry/hosting.ts',
  '@svc/core/json': 'json/index.ts',
};

/** Runs while modules load, which only need a clock. */
const loading = { now: () => epochMs, state: { leave() {} } };

/** The program of all simulated processes. One of them runs at a time. */
export class Program {
  /** The exports of the entry. */
  exports;
  /** The process that runs. */
  realm = loading;
  #moduleStates = [];

  /** `evaluate(globals)` runs all modules, and returns the exports of the entry. */
  constructor(evaluate) {
    this.exports = evaluate({ ...globalsOf(this), moduleStates: this.#moduleStates });
  }

  /** The variables of the modules, as they are when a process starts. */
  newState() {
    return new ModuleState(this.#moduleStates);
  }

  /** Runs a process from here on. */
  enter(realm) {
    if (this.realm === realm) return;
    this.realm.state.leave();
    this.realm = realm;
    realm.state.enter();
  }
}

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
    define: members,
    // Also for sources in another folder.
    nodePaths: [folder('../../node_modules')],
    plugins: [sources(core, changes)],
  });
  const names = [...Object.keys(globalsOf({})), 'moduleStates'].join(', ');
  const text = `(function ({ ${names} }) { const module = { exports: {} }; ${outputFiles[0].text}\nreturn module.exports; })`;
  return new Program(new Script(text, { filename: 'simulated-host.js' }).runInThisContext());
}

function sources(core, changes) {
  const edits = new Map(changes.map(({ file, edit }) => [join(core, file), edit]));
  return {
    name: 'sources',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^@svc\/core/ }, ({ path }) => ({ path: join(core, entries[path]), sideEffects: false }));
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        return { contents: withState(edits.get(path)?.(text) ?? text), loader: 'ts' };
      });
    },
  };
}

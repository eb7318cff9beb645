import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

/**
 * Requires a large CommonJS module together with what V8 compiled of it in an earlier process, which is kept in a file.
 * Node 20 otherwise compiles it anew each time, and for the compiler that is a third of a second of every `svc generate`.
 * V8 itself refuses what was kept by another version of it, or for another text; then the module is compiled as usual.
 */
export function requireCompiled(path: string, keptAt: string): unknown {
  const kept = readIfThere(keptAt);
  const wrapped = `(function (exports, require, module, __filename, __dirname) { ${readFileSync(path, 'utf8')}\n})`;
  const script = new Script(wrapped, { filename: path, ...(kept === undefined ? {} : { cachedData: kept }) });
  const module = { exports: {} };
  const run = script.runInThisContext() as (...values: unknown[]) => void;
  run(module.exports, createRequire(path), module, path, dirname(path));
  // At the end of the process: by then what a run needs has been compiled.
  if (kept === undefined) process.once('exit', () => keep(script.createCachedData(), keptAt));
  return module.exports;
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Whole or not at all: another process may read it at the same time. Without the right to write, nothing is kept. */
function keep(data: Buffer, path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const unfinished = join(dirname(path), `.${process.pid}.unfinished`);
    writeFileSync(unfinished, data);
    renameSync(unfinished, path);
  } catch {
    // Only time is lost.
  }
}

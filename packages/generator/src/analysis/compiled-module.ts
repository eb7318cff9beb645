import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

/**
 * Requires a large CommonJS module with V8's code cache of an earlier process, which is stored in a file. Node 20 otherwise compiles it
 * each time, which takes a third of a second of every `svc generate`. V8 rejects a cache of another version or text.
 */
export function requireCompiled(path: string, cacheFile: string): unknown {
  const cached = readIfExists(cacheFile);
  const wrapped = `(function (exports, require, module, __filename, __dirname) { ${readFileSync(path, 'utf8')}\n})`;
  const script = new Script(wrapped, { filename: path, ...(cached === undefined ? {} : { cachedData: cached }) });
  const module = { exports: {} };
  const run = script.runInThisContext() as (...values: unknown[]) => void;
  run(module.exports, createRequire(path), module, path, dirname(path));
  // When the process ends, everything that a run needs has been compiled.
  if (cached === undefined) process.once('exit', () => writeCache(script.createCachedData(), cacheFile));
  return module.exports;
}

function readIfExists(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Written atomically, because another process may read it. Without write permission, nothing is cached. */
function writeCache(data: Buffer, path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const unfinished = join(dirname(path), `.${process.pid}.unfinished`);
    writeFileSync(unfinished, data);
    renameSync(unfinished, path);
  } catch {
    // Only costs time.
  }
}

import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Below the repository, so that what is not bundled is found from there. */
const folder = fileURLToPath(new URL(`../node_modules/.cache/svc-tests/${process.pid}`, import.meta.url));
const built = new Map<string, Promise<string>>();

/**
 * A program that tests start in processes of its own, in one file: so it starts in half the time, and they start hundreds. Packages are
 * bundled as they were built.
 */
export function bundledProgram(entry: URL): Promise<string> {
  let program = built.get(entry.href);
  if (program === undefined) {
    program = bundle(fileURLToPath(entry));
    built.set(entry.href, program);
  }
  return program;
}

async function bundle(entry: string): Promise<string> {
  if (built.size === 0) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${built.size}-${basename(entry)}`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Native code, which is loaded from where it lies.
    external: ['pg-native', '@photostructure/sqlite'],
    banner: {
      js: "import { createRequire as svcRequire } from 'node:module'; const require = svcRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  return outfile;
}

import { createHash } from 'node:crypto';
import { renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Below the repository, so that what is not bundled is found from there. */
const folder = fileURLToPath(new URL('../../node_modules/.cache/svc-tests', import.meta.url));
const built = new Map();

/** How such a program is bundled. */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Native code, which is loaded from where it lies.
  external: ['pg-native', '@svc/sqlite-node20'],
  banner: {
    js: "import { createRequire as svcRequire } from 'node:module'; const require = svcRequire(import.meta.url);",
  },
  logLevel: 'error',
};

/**
 * A program that tests start in processes of its own, in one file: so it starts in half the time, and they start hundreds. Packages are
 * bundled as they were built.
 */
export function bundledProgram(entry) {
  let program = built.get(entry.href);
  if (program === undefined) {
    program = bundle(fileURLToPath(entry));
    built.set(entry.href, program);
  }
  return program;
}

async function bundle(entry) {
  const path = join(folder, `${createHash('sha256').update(entry).digest('hex').slice(0, 12)}-${basename(entry)}`);
  const outfile = `${path}.${process.pid}.mjs`;
  await build({ ...bundleOptions, entryPoints: [entry], outfile });
  // At once: concurrent test files may have bundled it already, and start it now.
  renameSync(outfile, path);
  return path;
}

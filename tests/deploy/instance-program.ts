import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

let built: Promise<string> | undefined;

/** The program of an instance, in one file: so it starts in half the time, and these tests start dozens. */
export function instanceProgram(): Promise<string> {
  built ??= bundled();
  return built;
}

async function bundled(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-instance-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'orders-instance.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('orders-instance.mjs', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['pg-native', '@photostructure/sqlite'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return outfile;
}

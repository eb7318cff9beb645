/** Bundles the pages that svc serves to browsers into modules of its packages, which need no other files: `dist/browser/<name>.js`. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { licensesOf } from './licenses.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const pages = [
  {
    entries: ['packages/http/assets/page.js', 'packages/http/assets/page.css'],
    target: 'packages/http/dist/browser/api-page.js',
  },
  {
    entries: ['packages/graphql/assets/explorer.js', 'packages/graphql/assets/explorer.css'],
    target: 'packages/graphql/dist/browser/explorer.js',
    alias: { 'react-style-singleton': './packages/graphql/assets/no-inline-style.js' },
  },
  {
    entries: ['packages/console/browser/console.tsx', 'packages/console/browser/console.css'],
    target: 'packages/console/dist/browser/console.js',
  },
];

const types = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8' };

for (const page of pages) await write(page);

async function write({ entries, target, alias = {} }) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: dirname(target),
    write: false,
    metafile: true,
    bundle: true,
    format: 'esm',
    // The browsers of the last three years.
    target: ['chrome116', 'firefox117', 'safari17'],
    minify: true,
    // GraphiQL names its icons, for screen readers too, after their functions.
    keepNames: true,
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    alias,
    logLevel: 'warning',
  });
  const files = Object.fromEntries(outputFiles.map(({ path, contents }) => [basename(path), fileOf(path, contents)]));
  const path = join(root, target);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `export const files = ${JSON.stringify(files, null, 2)};\n`);
  writeFileSync(path.replace(/\.js$/, '.licenses.txt'), licensesOf(root, Object.keys(metafile.inputs)));
}

function fileOf(path, contents) {
  return {
    type: types[extname(path)],
    version: createHash('sha256').update(contents).digest('hex').slice(0, 16),
    gzip: gzipSync(contents, { level: 9 }).toString('base64'),
  };
}

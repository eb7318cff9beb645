/** How long the compiler checks a project that calls 500 commands, and how large a bundle with ten of them is. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { writeService } from '../generator/synthetic-service.mjs';
import { emptyTrash } from '../generator/trash.mjs';
import { timeToEnd } from '../lib/processes.mjs';
import { atMost, table } from '../lib/report.mjs';
import { interleave, ratio } from '../lib/rounds.mjs';
import { spread } from '../lib/statistics.mjs';
import { writeProject } from './projects.mjs';

const commandCount = 500;
const usedCount = 10;
const limitMs = 300_000;

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = `${root}bench/.cache/client`;
const compiler = `${root}node_modules/typescript/bin/tsc`;

const subjects = [
  { name: 'svc', about: 'the generated client' },
  { name: 'hono', about: 'Hono RPC: `hc<AppType>`, 25 apps of 20 routes, `zValidator` with zod' },
  { name: 'trpc', about: 'tRPC: `createTRPCClient<AppType>`, 25 modules in one router, `input` with zod' },
  { name: 'hono-types', about: 'the same as `hono` with plain types: without validation, so less than svc' },
  { name: 'trpc-types', about: 'the same as `trpc` with plain types: without validation, so less than svc' },
  { name: 'empty', about: 'the same files without calls: the start of the compiler, and its own types' },
];

const time = { name: 'seconds', label: 'seconds', digits: 2 };

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: `the compiler's check of a project that calls ${commandCount} commands, and the bundle of ${usedCount}, with the client, Hono RPC and tRPC`,
  limitMs: 60 * 60_000,
  async run({ quick, progress }) {
    const rounds = quick ? 1 : 5;
    progress('writing the projects');
    for (const { name } of subjects) writeProject(join(folder, name), name, commandCount);
    const service = join(folder, 'service');
    writeService(service, commandCount);
    const cli = `${root}packages/cli/bin/svc.js`;
    const client = join(folder, 'svc/src');
    await timeToEnd([process.execPath, cli, 'generate', '--project', service, '--client', client], limitMs);

    const measured = await interleave(
      subjects.map(({ name }) => name),
      rounds,
      measure,
      progress,
    );
    progress('bundling');
    const bytes = await bundledBytes(client);
    emptyTrash();
    return {
      tables: [
        table(
          'tsc --noEmit, from its start to its end',
          subjects,
          measured,
          [time],
          ['hono', 'trpc', 'hono-types', 'trpc-types'],
        ),
      ],
      targets: [
        atMost('tsc time, svc / Hono RPC', ratio(measured, 'svc', 'hono', 'seconds'), 0.2),
        atMost('tsc time, svc / tRPC', ratio(measured, 'svc', 'trpc', 'seconds'), 0.2),
        atMost(`bundle of ${usedCount} commands, minified and compressed, kB`, spread([bytes / 1000]), 4),
      ],
      notes: [`TypeScript 7; ${commandCount} commands, each called once in files of 20; rounds: ${rounds}`],
    };
  },
};

/** @param {string} name */
async function measure(name) {
  return { seconds: (await timeToEnd([process.execPath, compiler, '-p', join(folder, name)], limitMs)) / 1000 };
}

/** @param {string} resolveDir */
async function bundledBytes(resolveDir) {
  const names = Array.from({ length: usedCount }, (_, n) => `changeThing${n}`).join(', ');
  const contents = `import { createClient, ${names} } from './synthetic-client.js';
export const client = createClient({ url: '/api' }, { ${names} });`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}

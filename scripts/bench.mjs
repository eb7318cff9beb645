/** Runs a benchmark: npm run bench -- <name> [--quick] [--json]. The compared libraries are installed in bench/ only. */
import { join } from 'node:path';
import { become, build, ensureInstalled, requireNode, root } from './lib/steps.mjs';

requireNode();
const args = process.argv.slice(2);
// Without a name it only lists the benchmarks.
if (args.some((arg) => !arg.startsWith('-'))) {
  ensureInstalled();
  ensureInstalled(join(root, 'bench'));
  const packages = ['cli', 'fastify', 'graphql', 'http', 'postgres', 'sqlite'].map((name) => `packages/${name}`);
  build('build', [...packages, 'bench/http/svc']);
}
become(process.execPath, ['bench/run.mjs', ...args]);

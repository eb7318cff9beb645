/** Writes docs/reference/cli.md from the built command, and the explanations of `svc explain`. Run "npm run build" first. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explanationsOf } from './explanations.mjs';
import { cliPage } from './page.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = (name) => join(root, 'docs/reference', name);
const explanations = explanationsOf(
  readFileSync(page('diagnostics.md'), 'utf8'),
  readFileSync(page('errors.md'), 'utf8'),
);
writeFileSync(join(root, 'packages/cli/explanations.json'), `${JSON.stringify(explanations, null, 2)}\n`);
const catalog = execFileSync(process.execPath, [join(root, 'packages/cli/bin/svc.js'), 'help', '--json'], {
  encoding: 'utf8',
});
writeFileSync(page('cli.md'), cliPage(JSON.parse(catalog)));

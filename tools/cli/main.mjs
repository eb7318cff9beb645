/** Writes docs/reference/cli.md from the built command. Run "npm run build" first. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cliPage } from './page.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const catalog = execFileSync(process.execPath, [join(root, 'packages/cli/bin/svc.js'), 'help', '--json'], {
  encoding: 'utf8',
});
writeFileSync(join(root, 'docs/reference/cli.md'), cliPage(JSON.parse(catalog)));

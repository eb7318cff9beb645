/** The table of docs/explanation/newcomer.md, from the services in tests/newcomer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countOf } from './count.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

export const page = join(root, 'docs/explanation/newcomer.md');

/** What is counted, with what the page calls it. */
const labels = {
  files: 'files that you write',
  lines: 'lines of TypeScript, with SQL, without comments',
  names: 'names that you import from packages',
  commands: 'commands up to the first response',
  dependencies: 'direct dependencies',
  developmentDependencies: 'direct dependencies for development',
  installed: 'packages that npm installs to run it',
};

export function countedTable() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const [svc, nest] = ['svc', 'nest'].map((name) => countOf(join(root, 'tests/newcomer', name), lock));
  const lines = Object.entries(labels).map(([name, label]) => `| ${label} | ${svc[name]} | ${nest[name]} |`);
  return ['| | svc | NestJS and CQRS |', '| --- | --: | --: |', ...lines].join('\n');
}

const table = /^\|(?:.*\|\n)+(?=\n<!-- counted by)/m;

/** The page with the table as it is counted now, whatever the widths of its columns. */
export function withCountedTable(text) {
  if (!table.test(text)) throw new Error(`${page} has no table before the comment "counted by".`);
  return text.replace(table, `${countedTable()}\n`);
}

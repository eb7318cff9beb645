/** Does what docs/guides/migrations.md says, and holds its tables to the code. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '@svc/core';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/guides/migrations.md'), 'utf8');

it('shows what its commands print', () => {
  const [, commands = ''] = /^```sh\n(.*?)^```$/ms.exec(page) ?? [];
  const [, printed = ''] = /^```text\n(.*?)^```$/ms.exec(page) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'svc-guide-'));
  const svc = `node ${join(root, 'packages/cli/bin/svc.js')}`;
  const { stdout, stderr } = spawnSync('sh', ['-e', '-c', commands.replaceAll(/^svc/gm, svc)], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect(stderr).toBe('');
  expect(stdout.trim()).toBe(printed.trim());
});

it.each([...Object.entries(MigrationStatus), ...Object.entries(MigrationFailureReason)])(
  'has %s (%s)',
  (name, number) => {
    expect(page).toMatch(new RegExp(`^\\| ${name} \\(${number}\\) +\\|`, 'm'));
  },
);

it.each(Object.keys(MigrationStrategy))('has the strategy %s', (name) =>
  expect(page).toMatch(new RegExp(`^\\| ${name} +\\|`, 'm')),
);

it('links to what exists', () => {
  const links = [...page.matchAll(/\]\((?!http|#)([^)#]+)\)/g)].map(([, path]) => path!);
  expect(links.filter((path) => !existsSync(join(root, 'docs/guides', path)))).toEqual([]);
});

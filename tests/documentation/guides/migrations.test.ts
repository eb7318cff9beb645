/** Does what docs/guides/migrations.md says, and holds its tables to the code. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '@svc/core';
import { expect, it } from 'vitest';
import { Guide, runInShell } from './guide.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(join(root, 'docs/guides/migrations.md'), 'utf8');

it('shows what its commands print', () => {
  const [step] = new Guide('migrations.md').steps;
  const folder = mkdtempSync(join(tmpdir(), 'svc-guide-'));
  const printed = runInShell(step!.commands, folder);
  rmSync(folder, { recursive: true });
  expect(printed.trim()).toBe(step!.answer);
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

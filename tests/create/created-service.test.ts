/** What `svc new` and `svc add` write generates, compiles, and passes its own tests. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CreatedProject } from './created-project.js';

let project: CreatedProject | undefined;
afterEach(() => project?.remove());

const everything = ['--database', 'postgres', '--auth', 'jwt', '--graphql', '--broker'];
const limit = { timeout: 240_000 };

/** With the defaults, tests/packages/tutorial does so from packages. */
describe('a created service', () => {
  it(
    'with all options, and a class of each kind of svc add, generates, compiles and passes its tests',
    limit,
    async () => {
      project = await CreatedProject.create(everything);
      const written = await project.svc('add', 'command', 'ReturnBook', '--in', 'books');
      expect(written).toContain('Wrote src/books/return-book.ts and src/books/return-book.test.ts.');
      await project.svc('add', 'perspective', 'OverdueBooks');
      await project.svc('add', 'reaction', 'RemindMember');
      await project.svc('add', 'process', 'Reservation', '--in', 'reservations/process');
      await project.svc('generate');
      project.run('tsc', '-p', '.', '--noEmit');
      const printed = project.run('vitest', 'run', '--no-isolate', '--no-file-parallelism');
      expect(printed).toMatch(/Test Files +8 passed/);
    },
  );
});

describe('svc add', () => {
  it('changes no file that exists, and rejects invalid names and folders', async () => {
    const created = (project = await CreatedProject.create(['--yes']));
    const test = join(created.folder, 'src/return-book.test.ts');
    writeFileSync(test, 'mine');
    await expect(created.svc('add', 'command', 'ReturnBook')).rejects.toThrow(
      'return-book.test.ts already exists. Choose another name or folder.',
    );
    const isWritten = existsSync(join(created.folder, 'src/return-book.ts'));
    expect([readFileSync(test, 'utf8'), isWritten]).toEqual(['mine', false]);
    await expect(created.svc('add', 'command', 'LendBook', '--in', 'other')).rejects.toThrow(
      'src/books/lend-book.ts already has a class LendBook.',
    );
    expect(existsSync(join(created.folder, 'src/other'))).toBe(false);
    for (const name of ['returnBook', 'Return-Book', '../Escape', 'A'.repeat(81), '']) {
      await expect(created.svc('add', 'command', name)).rejects.toThrow('is not a valid name.');
    }
    await expect(created.svc('add', 'command', 'X', '--in', '../outside')).rejects.toThrow(
      'must be a folder below src',
    );
    await expect(created.svc('add', 'query', 'X')).rejects.toThrow(
      'Say what to add: command, perspective, reaction, process.',
    );
  });
});

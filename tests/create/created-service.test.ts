/** What `svc new` and `svc add` write generates, compiles, and passes its own tests. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CreatedProject } from './created-project.js';

let project: CreatedProject | undefined;
afterEach(() => project?.remove());

const everything = ['--database', 'postgres', '--auth', 'jwt', '--graphql', '--broker'];

describe('a created service', () => {
  it('with all options generates, compiles and passes its tests', () => {
    project = new CreatedProject(everything);
    project.run('svc', 'generate');
    project.run('tsc', '-p', '.');
    expect(project.run('vitest', 'run')).toMatch(/Test Files +4 passed/);
  });

  it('with the defaults does so too, also with a command, perspective, reaction and process of svc add', () => {
    project = new CreatedProject(['--yes']);
    const written = project.run('svc', 'add', 'command', 'ReturnBook', '--in', 'books');
    expect(written).toContain('Wrote src/books/return-book.ts and src/books/return-book.test.ts.');
    project.run('svc', 'add', 'perspective', 'OverdueBooks');
    project.run('svc', 'add', 'reaction', 'RemindMember');
    project.run('svc', 'add', 'process', 'Reservation', '--in', 'reservations/process');
    project.run('svc', 'generate');
    project.run('tsc', '-p', '.');
    expect(project.run('vitest', 'run')).toMatch(/Test Files +6 passed/);
  });
});

describe('svc add', () => {
  it('changes no file that exists, and rejects invalid names and folders', () => {
    const created = (project = new CreatedProject(['--yes']));
    const test = join(created.folder, 'src/return-book.test.ts');
    writeFileSync(test, 'mine');
    expect(() => created.run('svc', 'add', 'command', 'ReturnBook')).toThrow(
      'return-book.test.ts already exists. Choose another name or folder.',
    );
    expect([readFileSync(test, 'utf8'), existsSync(join(created.folder, 'src/return-book.ts'))]).toEqual([
      'mine',
      false,
    ]);
    for (const name of ['returnBook', 'Return-Book', '../Escape', 'A'.repeat(81), '']) {
      expect(() => created.run('svc', 'add', 'command', name)).toThrow('is not a valid name.');
    }
    expect(() => created.run('svc', 'add', 'command', 'X', '--in', '../outside')).toThrow('must be a folder below src');
    expect(() => created.run('svc', 'add', 'query', 'X')).toThrow(
      'Say what to add: command, perspective, reaction, process.',
    );
  });
});

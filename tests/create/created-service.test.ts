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

/** A command that requires a permission and has personal data, a perspective and a reaction. Constructors use their services. */
const sendLetter = `import { commandEndpoint, messageOf, perspective, permission, reaction } from '@svc/core';
import type { Command, Event, Personal, Perspective, Reaction, ReactionContext, Receptor, ReceptorContext, Uuid } from '@svc/core';

export interface Mailer {
  connect(): { send(to: string): void };
}

@commandEndpoint<SendLetter, void>({ restRoute: '/letters', requires: permission('letters:send') })
export class SendLetter implements Command {
  memberId!: Uuid;
  address!: string & Personal<'memberId'>;
}

export class LetterSent implements Event {
  memberId!: Uuid;
  address!: (string & Personal<'memberId'>) | null;
}

export class SendLetterReceptor implements Receptor<SendLetter> {
  readonly #mail: ReturnType<Mailer['connect']>;

  constructor(mailer: Mailer) {
    this.#mail = mailer.connect();
  }

  receive({ memberId, address }: SendLetter, context: ReceptorContext): void {
    this.#mail.send(address);
    context.append(memberId, messageOf(LetterSent, { memberId, address }));
  }
}

@reaction({ from: 'now' })
export class CountLetters implements Reaction<LetterSent> {
  readonly #count: () => void;

  constructor(letters: { count(): void }) {
    this.#count = letters.count.bind(letters);
  }

  react(_event: LetterSent, _context: ReactionContext): void {
    this.#count();
  }
}

@perspective({ route: '/letters' })
export class Letters implements Perspective<LetterSent, LetterSent> {
  apply(_model: LetterSent | null, { memberId, address }: LetterSent): LetterSent {
    return { memberId, address };
  }
}
`;

describe('svc add', () => {
  it(
    'in a service with constructor services, personal data and permissions, writes tests that compile and pass',
    limit,
    async () => {
      project = await CreatedProject.create(['--yes']);
      writeFileSync(join(project.folder, 'src/send-letter.ts'), sendLetter);
      const composed = join(project.folder, 'src/service.ts');
      const services = `{ mailer: { connect: () => ({ send: () => {} }) }, letters: { count: () => {} } }`;
      const text = readFileSync(composed, 'utf8')
        .replace('{ registry }', '{ registry, type Services }')
        .replace(': Service {', ': Service<Services> {')
        .replace('createService(registry)', `createService<Services>(registry, ${services})`);
      writeFileSync(composed, text);
      await project.svc('add', 'command', 'ReturnBook');
      await project.svc('add', 'perspective', 'OverdueBooks');
      await project.svc('add', 'reaction', 'RemindMember');
      await project.svc('add', 'process', 'Reservation');
      await project.svc('generate');
      project.run('tsc', '-p', '.', '--noEmit');
      const tests = ['return-book', 'overdue-books', 'remind-member', 'reservation', 'books/lend-book'];
      const paths = tests.map((name) => `src/${name}.test.ts`);
      const printed = project.run('vitest', 'run', '--no-isolate', '--no-file-parallelism', ...paths);
      expect(printed).toMatch(/Test Files +5 passed/);
    },
  );

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

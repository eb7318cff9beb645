/**
 * The time from a change to its response, for a service with 50 commands: `SVC_TEST_DEV=1 npx vitest run tests/dev/fifty-commands.test.ts`. It prints the
 * figures, and requires at most a second on a machine that does nothing else.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { newService } from '@svc/create';
import { freePorts } from '../../tools/ports/index.mjs';
import { TemporaryProject } from '../generator/temporary-project.js';
import { DevProcess } from './dev-process.js';

const rounds = 8;

it.runIf(process.env['SVC_TEST_DEV'] === '1')(
  'a change is served within a second',
  async () => {
    const project = new TemporaryProject({}, 'fifty-');
    const folder = join(project.directory, 'library');
    await newService([folder, '--yes'], { out: () => {}, error: console.error });
    const path = join(folder, 'src/books/lend-book.ts');
    const text = readFileSync(path, 'utf8');
    for (let i = 1; i < 50; i++) {
      const other = text
        .replaceAll(/LendBook|BookLent|Loan/g, (name) => name + i)
        .replace('/books/lend', `/books/lend/${i}`);
      project.write(`library/src/books-${i % 7}/lend-book-${i}.ts`, other);
    }
    const [port = 0] = await freePorts(1);
    const dev = new DevProcess(folder, port);
    const lend = async (): Promise<string> => {
      try {
        const response = await fetch(`http://127.0.0.1:${port}/books/lend`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ bookId: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d', member: 'Ann' }),
        });
        return JSON.stringify(await response.json());
      } catch {
        return '';
      }
    };
    /** Writes the source and waits for a response that contains a text. */
    const change = async (source: string, expected: string): Promise<number> => {
      const before = performance.now();
      writeFileSync(path, source);
      while (!(await lend()).includes(expected)) {
        if (performance.now() - before > 60_000) throw new Error(dev.printed);
        await sleep(10);
      }
      return Math.round(performance.now() - before);
    };
    try {
      const start = await change(text, '"Ann"');
      const [bodies, fields]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        const answer = `return { bookId, member: \`\${member} ${round}\` };`;
        await sleep(1500);
        bodies.push(await change(text.replace('return { bookId, member };', answer), `"Ann ${round}"`));
        await sleep(1500);
        const field = text.replace(
          '  member: string;\n}\n\n/** Stored',
          `  member: string;\n  round${round}: string;\n}\n\n/** Stored`,
        );
        fields.push(
          await change(field.replace('bookId, member };', `bookId, member, round${round}: 'x' };`), `"round${round}"`),
        );
      }
      const middle = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!;
      console.log(
        `start ${start} ms; a changed statement ${bodies.join(', ')} ms; a changed field ${fields.join(', ')} ms`,
      );
      expect(middle(bodies)).toBeLessThanOrEqual(1000);
      expect(middle(fields)).toBeLessThanOrEqual(1000);
    } finally {
      dev.child.kill('SIGTERM');
      await dev.ended;
      rmSync(project.directory, { recursive: true });
    }
  },
  300_000,
);

/** The same small service in svc and in NestJS with CQRS: both do the same, and the documentation counts what each needs. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '@svc/cli';
import { newId } from '@svc/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importedNames, linesOfCode } from '../../tools/newcomer/count.mjs';
import { countedTable, page } from '../../tools/newcomer/table.mjs';
import { Running } from '../documentation/guides/guide.js';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Subject {
  readonly name: 'svc' | 'nest';
  /** The loans of a member, as the service lists them. */
  list(url: string, member: string): Promise<unknown[]>;
  /** The recorded commands. */
  audit(url: string, database: string): Promise<unknown>;
}

const subjects: readonly Subject[] = [
  {
    name: 'svc',
    async list(url, member) {
      const response = await fetch(`${url}/books?filter[member]=${member}`);
      return ((await response.json()) as { items: unknown[] }).items;
    },
    audit: (_url, database) => svc('audit', 'query', '--type', 'library.LendBook', '--json', '--database', database),
  },
  {
    name: 'nest',
    async list(url, member) {
      return (await (await fetch(`${url}/books?member=${member}`)).json()) as unknown[];
    },
    audit: async (url) => await (await fetch(`${url}/audit`)).text(),
  },
];

/** What `svc` prints. */
async function svc(...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const code = await run(args, { out: print, error: print });
  if (code !== 0) throw new Error(lines.join('\n'));
  return lines.join('\n');
}

describe.each(subjects)('the service with $name', ({ name, list, audit }) => {
  let folder: string;
  let database: TestDatabase;
  let service: Running;
  const start = (): Promise<Running> => Running.start(['dist/main.js'], folder, { DATABASE_URL: database.url });

  beforeAll(async () => {
    mkdirSync(join(root, '.cache'), { recursive: true });
    folder = mkdtempSync(join(root, '.cache', `newcomer-${name}-`));
    cpSync(join(root, 'tests/newcomer', name), folder, { recursive: true });
    if (name === 'svc') await svc('generate', '--project', folder);
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    if (stdout !== '') throw new Error(stdout);
    database = await createDatabase();
    service = await start();
  }, 120_000);
  afterAll(async () => {
    await service?.end();
    await database?.remove();
    rmSync(folder, { recursive: true });
  });

  const lend = (body: object): Promise<Response> =>
    fetch(`${service.url}/books/lend`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('lends a book, lists it by its member, and has an audit record, also after a restart', async () => {
    const loan = { bookId: newId(), member: 'Ann' };
    const response = await lend(loan);
    expect([response.status, await response.json()]).toEqual([200, loan]);
    await lend({ bookId: newId(), member: 'Bob' });
    await service.end();
    service = await start();
    const listed = [{ ...loan, lentAt: expect.stringMatching(/^\d{4}-.+Z$/) as string }];
    await expect.poll(() => list(service.url, 'Ann')).toEqual(listed);
    await expect.poll(() => audit(service.url, database.url)).toContain('LendBook');
  });

  it('rejects an invalid request, and names every invalid and unknown property', async () => {
    const response = await lend({ bookId: 'x', member: '', colour: 'red' });
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(['bookId', 'member', 'colour'].filter((property) => !text.includes(property))).toEqual([]);
  });
});

describe('docs/explanation/newcomer.md', () => {
  const cells = (text: string): string[][] => text.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));

  it('has the table as it is counted now', () => {
    const rows = readFileSync(page, 'utf8')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const counted = cells(countedTable()).filter((row) => !row[1]!.startsWith('-') && row[1] !== '');
    expect(counted.length).toBeGreaterThan(4);
    for (const row of counted) expect(rows).toContainEqual(row);
  });

  it('counts lines without comments, and each imported name once for its package', () => {
    const source =
      "import pg from 'pg';\nimport { a, type B } from 'x';\nimport type { D } from 'x';\nimport { c } from './c.js';\n\n/** Why. */\nc(a);\n";
    expect(linesOfCode(source)).toHaveLength(5);
    expect(importedNames(source)).toEqual(['pg', 'a of x', 'B of x', 'D of x']);
  });
});

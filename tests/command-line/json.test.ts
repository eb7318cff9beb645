/** The output of `--json` has the fields that the help names. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog, svc } from './svc.js';

const entries = await catalog();
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-json-'));
  await svc(['migrate', 'up', '--database', join(folder, 'shop.db')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What the help says about the output of a command. */
function jsonOf(command: string): string {
  const entry = entries.find(({ path, commands }) => commands.length === 0 && command.startsWith(path));
  return entry!.json!;
}

/** The fields of an object in a text such as `{a, b: {c}, d: [{e}]}`. */
function fieldsOf(text: string): readonly string[] {
  let depth = 0;
  let inside = '';
  for (const character of text) {
    if ('}]'.includes(character)) depth--;
    if (depth === 0 && inside !== '') break;
    if (depth === 1) inside += character;
    if ('{['.includes(character)) depth++;
  }
  return inside.split(',').map((field) => field.split(':')[0]!.trim());
}

describe('--json', () => {
  it.each([
    ['perspectives list', []],
    ['reactions list', []],
    ['processes list', []],
    ['dead-letters list', []],
    ['schedule list', []],
    ['migrate status', []],
    ['migrate plan', []],
    ['migrate up', []],
    ['audit query', []],
    ['audit verify', []],
    ['audit export', ['--to', 'exported']],
    ['archive', ['--before', '2020-01-01', '--to', 'archived']],
  ])('of svc %s in a database prints the fields that the help names', async (command, args) => {
    const given = args.map((arg) => (arg.endsWith('ed') ? join(folder, arg) : arg));
    const { out } = await svc([...command.split(' '), ...given, '--json', '--database', join(folder, 'shop.db')]);
    expect(Object.keys(JSON.parse(out) as object)).toEqual(fieldsOf(jsonOf(command)));
  });

  it.each(['audit key', 'completion bash'])('of svc %s prints the fields that the help names', async (command) => {
    const { out } = await svc([...command.split(' '), '--json']);
    expect(Object.keys(JSON.parse(out) as object)).toEqual(fieldsOf(jsonOf(command)));
  });

  it('prints one document also where text has several parts', async () => {
    const dockerfile = await svc(['deploy', 'manifests', '--dockerfile', '--json']);
    expect(Object.keys(JSON.parse(dockerfile.out) as object)).toEqual(['dockerfile', 'dockerignore']);
    const written = await svc(['deploy', 'manifests', '--dockerfile', '--out', folder, '--json']);
    expect(JSON.parse(written.out)).toEqual({ files: [join(folder, 'Dockerfile'), join(folder, '.dockerignore')] });
    const key = join(folder, 'seal.pem');
    expect(JSON.parse((await svc(['audit', 'key', '--out', key, '--json'])).out)).toMatchObject({ file: key });
  });

  it('names the database of an error if there are several', async () => {
    const databases = `eu=${join(folder, 'shop.db')} us=${join(folder, 'missing.db')}`;
    const before = process.env['DATABASES'];
    process.env['DATABASES'] = databases;
    try {
      const { code, out, error } = await svc(['migrate', 'status', '--json']);
      expect(code).toBe(2);
      expect(JSON.parse(out)).toMatchObject([
        { name: 'eu', exitCode: 0 },
        { name: 'us', exitCode: 2, output: null },
      ]);
      expect(JSON.parse(error)).toMatchObject({
        message: expect.stringMatching(/^Database us: /) as string,
        exitCode: 2,
      });
    } finally {
      if (before === undefined) delete process.env['DATABASES'];
      else process.env['DATABASES'] = before;
    }
  });
});

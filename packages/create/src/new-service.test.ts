import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newService } from './new-service.js';

const root = mkdtempSync(join(tmpdir(), 'svc-new-'));
let folder: string;
let printed: string[];
beforeEach(() => {
  folder = join(root, 'library');
  printed = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => rmSync(root, { recursive: true }));

/** A terminal on which a user types. */
function terminal(typed: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  input.write(typed);
  const output = Object.assign(new PassThrough(), { isTTY: true });
  output.on('data', (text: Buffer) => printed.push(text.toString()));
  return { input, output };
}
const create = (args: readonly string[], streams: Parameters<typeof newService>[2] = notATerminal) =>
  newService(args, { out: (line) => printed.push(line), error: (line) => printed.push(line) }, streams);
const notATerminal = { input: new PassThrough(), output: new PassThrough() };
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

interface Manifest {
  readonly name: string;
  readonly svc: { readonly namespace: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
const packages = (): string[] => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Manifest;
  return [...Object.keys(dependencies), ...Object.keys(devDependencies)];
};

describe('newService', () => {
  it('writes a service with the name of the folder, and says what to do next', async () => {
    expect(await create([folder])).toBe(0);
    const manifest = JSON.parse(read('package.json')) as Manifest;
    expect([manifest.name, manifest.svc.namespace]).toEqual(['library', 'library']);
    expect(manifest.dependencies['@svc/core']).toBe('^0.1.0');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(
      expect.arrayContaining(['.gitignore', '.vscode/settings.json', '.github/workflows/test.yml']),
    );
    expect(files).toEqual(expect.arrayContaining(['Dockerfile', '.dockerignore', '.editorconfig', 'README.md']));
    expect(files).not.toContain('compose.yaml');
    expect(printed.join('\n')).toMatch(/Next:\n {2}cd .*library\n {2}npm install\n {2}npm run dev$/);
  });

  it('prints what it has created as JSON', async () => {
    expect(await create([folder, '--json'])).toBe(0);
    expect(JSON.parse(printed.join('\n'))).toMatchObject({
      folder,
      files: expect.arrayContaining(['package.json', 'src/main.ts']) as string[],
    });
  });

  it.each<[name: string, flags: string[], present: RegExp, absent: RegExp]>([
    ['SQLite', [], /@svc\/sqlite/, /@svc\/postgres|@svc\/graphql|@svc\/rabbitmq/],
    ['PostgreSQL', ['--database', 'postgres'], /@svc\/postgres/, /@svc\/sqlite/],
    ['GraphQL', ['--graphql'], /@svc\/graphql/, /@svc\/rabbitmq/],
    ['a broker', ['--broker'], /@svc\/rabbitmq/, /@svc\/graphql/],
    ['tokens', ['--auth', 'jwt'], /@svc\/http/, /@svc\/graphql|jose/],
  ])('installs and mentions only what a service with %s uses', async (_name, flags, present, absent) => {
    expect(await create([folder, ...flags])).toBe(0);
    expect(packages().join()).toMatch(present);
    expect(packages().join()).not.toMatch(absent);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const all = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n');
    expect(all).not.toMatch(/template-service|[/#]\? |\?begin|\?end/);
    expect(files.some(({ name }) => name === 'compose.yaml')).toBe(/postgres|broker/.test(flags.join()));
  });

  it('gives each service with tokens a secret of its own, which only its user can read and git ignores', async () => {
    await create([folder, '--auth', 'jwt']);
    const first = read('.env');
    expect(first).toMatch(/^AUTH_SECRET=[\w-]{43}\n$/);
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
    expect(read('.gitignore').split('\n')).toContain('.env');
    rmSync(folder, { recursive: true });
    await create([folder, '--auth', 'jwt']);
    expect(read('.env')).not.toBe(first);
  });

  it('writes the addresses of the servers in compose.yaml to .env, where svc finds them', async () => {
    await create([folder, '--database', 'postgres', '--broker']);
    const name = basename(folder);
    expect(read('.env').split('\n')).toEqual([
      `DATABASE_URL=postgres://${name}:development@127.0.0.1:5432/${name}`,
      `AMQP_URL=amqp://${name}:development@127.0.0.1:5672`,
      '',
    ]);
    const defaults = read('src/storage.ts') + read('src/transport.ts');
    for (const line of read('.env').trim().split('\n')) expect(defaults).toContain(line.slice(line.indexOf('=') + 1));
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  });

  it('asks on a terminal for what the flags do not say, again after an invalid answer', async () => {
    expect(await create([folder, '--auth', 'none'], terminal('oracle\npostgres\n'))).toBe(0);
    expect(printed.join('')).toContain('Database (sqlite, postgres) [sqlite]: ');
    expect(printed.join('')).toContain('The answer must be sqlite or postgres, not "oracle".');
    expect(printed.join('')).not.toContain('Authentication (');
    expect(packages()).toContain('@svc/postgres');
  });

  it('writes nothing if the input ends, as with Ctrl-C', async () => {
    const streams = terminal('sqlite\n');
    streams.input.end();
    expect(await create([folder], streams)).toBe(1);
    expect(printed.join('')).toContain('The input ended before the last answer.');
    expect(readdirSync(root)).toEqual([]);
  });

  it('does not ask with --yes', async () => {
    expect(await create([folder, '--yes'], terminal(''))).toBe(0);
    expect(printed.join('')).not.toContain('Database (');
    expect(packages()).toContain('@svc/sqlite');
  });

  it.each<[what: string, args: () => string[], reason: string]>([
    ['no folder', () => [], 'The folder is missing.'],
    ['two folders', () => [folder, 'b'], 'Expected one folder, not 2.'],
    ['an unknown flag', () => [folder, '--mongodb'], "Unknown option '--mongodb'"],
    [
      'an unknown database',
      () => [folder, '--database', 'mysql'],
      '--database must be sqlite or postgres, not "mysql".',
    ],
    ['an unknown authentication', () => [folder, '--auth', 'x'], '--auth must be none or jwt, not "x".'],
    ['a name with upper case', () => [join(root, 'Library')], '"Library" is not a valid name.'],
    ['the name svc', () => [join(root, 'svc')], '"svc" is reserved for the messages of svc.'],
    ['a name that begins with a digit', () => [join(root, '1st')], '"1st" is not a valid name.'],
    ['a name of 64 characters', () => [join(root, 'a'.repeat(64))], 'A name has at most 63 characters, not 64.'],
  ])('rejects %s and writes nothing', async (_what, args, reason) => {
    expect(await create(args())).toBe(2);
    expect(printed.join('\n')).toContain(reason);
    expect(readdirSync(root)).toEqual([]);
  });

  it('rejects a folder that is not empty, and a file', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    expect(await create([folder])).toBe(2);
    expect(printed.join()).toContain('is not empty: it contains "notes.txt". Choose another folder.');
    expect(readdirSync(folder)).toEqual(['notes.txt']);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    expect(await create([folder])).toBe(2);
    expect(printed.join()).toContain('is a file. Choose another folder.');
  });

  it.skipIf(process.getuid?.() === 0)('says so if the folder cannot be written', async () => {
    mkdirSync(folder, { mode: 0o500 });
    expect(await create([folder])).toBe(1);
    expect(printed.join()).toContain(`Cannot create ${folder}: EACCES`);
    expect(readdirSync(folder)).toEqual([]);
  });
});

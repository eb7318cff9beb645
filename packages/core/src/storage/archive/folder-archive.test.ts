import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { folderArchive } from './folder-archive.js';

const isWindows = process.platform === 'win32';
let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'svc-archive-'));
  folder = join(parent, 'deep', 'archive');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(parent, { recursive: true, force: true });
});

it('names its place by the absolute path of the folder', () => {
  expect(folderArchive(folder).where).toBe(folder);
  expect(folderArchive(relative(process.cwd(), folder) + sep).where).toBe(folder);
});

it('writes a file that is read as it was written', async () => {
  const archive = folderArchive(folder);
  const content = Buffer.from([0, 1, 254, 255]);
  await archive.write('events-1.jsonl.gz', content);
  expect(Buffer.from((await archive.read('events-1.jsonl.gz'))!)).toEqual(content);
  expect(await readFile(join(folder, 'events-1.jsonl.gz'))).toEqual(content);
  expect(await readdir(folder), 'nothing unfinished remains').toEqual(['events-1.jsonl.gz']);
});

it('writes a file again that exists', async () => {
  const archive = folderArchive(folder);
  for (const text of ['one', 'two']) await archive.write('events-1.jsonl.gz', Buffer.from(text));
  expect(await readFile(join(folder, 'events-1.jsonl.gz'), 'utf8')).toBe('two');
  expect(await readdir(folder)).toHaveLength(1);
});

it.skipIf(isWindows)('creates folders and files that only their owner can access', async () => {
  await folderArchive(folder).write('events-1.jsonl.gz', Buffer.from('x'));
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, 'events-1.jsonl.gz'))).mode & 0o777).toBe(0o600);
});

it.skipIf(isWindows)('flushes the file before it gets its name, then the folder, and closes both', async () => {
  await mkdir(folder, { recursive: true });
  const opened = await open(folder, 'r');
  const handles = Object.getPrototypeOf(opened) as FileHandle;
  await opened.close();
  const flushed: [boolean, string[]][] = [];
  const { sync } = handles;
  const used: FileHandle[] = [];
  vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    flushed.push([(await this.stat()).isDirectory(), await readdir(folder)]);
    await sync.call(this);
    used.push(this);
  });
  await folderArchive(folder).write('events-1.jsonl.gz', Buffer.from('x'));
  expect(flushed).toEqual([
    [false, [expect.stringMatching(/^events-1\.jsonl\.gz\..+\.unfinished$/)]],
    [true, ['events-1.jsonl.gz']],
  ]);
  expect(used.map(({ fd }) => fd)).toEqual([-1, -1]);
});

it('lists its files by name, without files that are unfinished or of other programs', async () => {
  const archive = folderArchive(folder);
  for (const i of [2, 4, 1, 3]) await archive.write(`events-${i}.jsonl.gz`, Buffer.from('x'));
  for (const name of ['events-5.jsonl.gz.1.unfinished', 'readme.txt']) await writeFile(join(folder, name), 'x');
  expect(await archive.list()).toEqual([1, 2, 3, 4].map((i) => `events-${i}.jsonl.gz`));
});

it('has no files before the first one is written, and then creates its folder', async () => {
  const archive = folderArchive(folder);
  expect(await archive.list()).toEqual([]);
  expect(await archive.read('events-1.jsonl.gz')).toBeNull();
  await archive.write('events-1.jsonl.gz', Buffer.from('x'));
  expect(await archive.read('events-2.jsonl.gz')).toBeNull();
});

it('reports every failure other than a missing file', async () => {
  await mkdir(join(folder, 'events-1.jsonl.gz'), { recursive: true });
  await expect(folderArchive(folder).read('events-1.jsonl.gz')).rejects.toMatchObject({ code: 'EISDIR' });
  const file = join(parent, 'file');
  await writeFile(file, 'x');
  await expect(folderArchive(file).list()).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(folderArchive(file).write('events-1.jsonl.gz', Buffer.from('x'))).rejects.toMatchObject({
    code: 'EEXIST',
  });
});

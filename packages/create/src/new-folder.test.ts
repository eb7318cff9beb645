import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeFiles } from './new-folder.js';

const root = mkdtempSync(join(tmpdir(), 'svc-folder-'));
afterAll(() => rmSync(root, { recursive: true }));

/** The third one cannot be written: its folder is a file. */
const files = new Map([
  ['a.txt', 'a'],
  ['b/c.txt', 'c'],
  ['a.txt/d.txt', 'd'],
]);

describe('writeFiles', () => {
  it('removes the folders it created if a file cannot be written', () => {
    expect(() => writeFiles(join(root, 'x/y'), files)).toThrow('a.txt');
    expect(existsSync(join(root, 'x'))).toBe(false);
  });

  it('empties a folder that existed', () => {
    mkdirSync(join(root, 'z'));
    expect(() => writeFiles(join(root, 'z'), files)).toThrow('a.txt');
    expect(readdirSync(join(root, 'z'))).toEqual([]);
  });
});

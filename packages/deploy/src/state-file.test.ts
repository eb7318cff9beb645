import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StateFile } from './state-file.js';

let folder: string;
let umask: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-state-'));
  umask = process.umask();
});
afterEach(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true, force: true });
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe.each([0o000, 0o022, 0o777])('under the umask %o', (mask) => {
  it.each(['write', 'create'] as const)(
    '%s creates folders and files that only their owner can access',
    async (how) => {
      const path = join(folder, 'state/claims/1.json');
      process.umask(mask);
      await new StateFile(path)[how]('{}');
      process.umask(umask);
      expect([modeOf(join(folder, 'state')), modeOf(join(folder, 'state/claims')), modeOf(path)]).toEqual([
        '700',
        '700',
        '600',
      ]);
      expect(readdirSync(join(folder, 'state/claims'))).toEqual(['1.json']);
    },
  );
});

describe('a file that exists', () => {
  const isRoot = process.getuid?.() === 0;

  it('retains the mode and the group that its owner chose when it is written again', async () => {
    const state = join(folder, 'state');
    mkdirSync(state);
    chmodSync(state, 0o750);
    const path = join(state, 'forced.map');
    writeFileSync(path, 'new orders\n');
    chmodSync(path, 0o640);
    if (isRoot) chownSync(path, 0, 65_534);
    process.umask(0);
    await new StateFile(path).write('new orders-green\n');
    expect([modeOf(state), modeOf(path)]).toEqual(['750', '640']);
    if (isRoot) expect(statSync(path).gid).toBe(65_534);
  });

  it('is not overwritten by create', async () => {
    const path = join(folder, 'servers');
    writeFileSync(path, '1\n');
    chmodSync(path, 0o644);
    expect(await new StateFile(path).create('2\n')).toBe(false);
    expect([modeOf(path), await new StateFile(path).read()]).toEqual(['644', '1\n']);
  });
});

import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { chooseKeyVault } from './key-vault.js';
import { chooseSeals } from './seals.js';

const key = Buffer.alloc(32, 1);
let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'svc-orders-keys-'));
  folder = join(parent, '.svc');
});
afterEach(() => rmSync(parent, { recursive: true }));

it('creates the keys of a trial once, in files that only their owner can read', async () => {
  const trial = { isTrial: true, folder };
  const first = chooseKeyVault({}, trial);
  const { seals } = chooseSeals({}, trial);
  const wrapped = await first.keyVault.wrap(key);
  expect(await chooseKeyVault({}, trial).keyVault.unwrap(wrapped)).toEqual(key);
  expect(chooseSeals({}, trial)).toMatchObject({ seals: { keys: seals!.keys }, by: join(folder, 'seal-key.pem') });
  expect(first.where).toBe(join(folder, 'key-vault'));
  expect(readdirSync(folder).toSorted()).toEqual(['key-vault', 'seal-key.pem']);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

it('uses the keys of the environment, and creates no file', async () => {
  const text = `k2:${Buffer.alloc(32, 2).toString('base64')}`;
  for (const isTrial of [true, false]) {
    const { keyVault, where } = chooseKeyVault({ KEY_VAULT: text }, { isTrial, folder });
    expect(where).toBe('KEY_VAULT');
    expect(await keyVault.wrap(key)).toMatch(/^k2:/);
  }
  expect(existsSync(folder)).toBe(false);
});

it('creates no key in production', () => {
  expect(() => chooseKeyVault({}, { isTrial: false, folder })).toThrow('KEY_VAULT is not set');
  expect(chooseSeals({}, { isTrial: false, folder })).toEqual({ seals: null, by: 'none' });
  expect(existsSync(folder)).toBe(false);
});

import { describe, expect, it } from 'vitest';
import { personalText, sealedPrefix, withoutMarks } from '../json/index.js';
import { InMemoryStorage } from '../storage/index.js';
import { localKeyVault } from './key-vault.js';
import { Sealing } from './sealing.js';
import { SubjectKeys } from './subject-keys.js';

const line = (name: string, fill: number): string => `${name}:${Buffer.alloc(32, fill).toString('base64')}`;
const vault = localKeyVault(line('k1', 1));
const storage = (): InMemoryStorage => new InMemoryStorage();

function sealingOf(store: InMemoryStorage, inMemoryMs = 60_000): { keys: SubjectKeys; sealing: Sealing } {
  const keys = new SubjectKeys(store.subjectKeys, vault, inMemoryMs);
  return { keys, sealing: new Sealing(keys) };
}

const marked = `{"id":1,"name":${personalText('ann', '"Ann \\"ü\\" \\u0001"')},"list":${personalText('bob', '[1,{"a":null}]')}}`;
const plain = { id: 1, name: 'Ann "ü" \u0001', list: [1, { a: null }] };

describe('Sealing', () => {
  it('encrypts every delimited value, and decrypts it to the same text', async () => {
    const { sealing } = sealingOf(storage());
    const [sealed, other] = await sealing.seal([marked, '{"b":2}']);
    expect(JSON.parse(sealed!)).toMatchObject({ id: 1, name: expect.stringContaining(sealedPrefix) as string });
    expect(sealed).not.toContain('Ann');
    expect(sealed).not.toContain('\u0001');
    expect(other).toBe('{"b":2}');
    expect(JSON.parse((await sealing.open([sealed!]))[0]!)).toEqual(plain);
    expect(await sealing.openContent(JSON.parse(sealed!))).toEqual(plain);
    expect(JSON.parse(withoutMarks(marked))).toEqual(plain);
  });

  it('encrypts equal values differently, and with one key per subject on all hosts', async () => {
    const store = storage();
    const [one, other] = [sealingOf(store), sealingOf(store)];
    const texts = await Promise.all([one, other].map(({ sealing }) => sealing.seal([personalText('ann', '"x"')])));
    expect(texts[0]![0]).not.toBe(texts[1]![0]);
    expect(texts[0]![0]!.slice(0, 52)).toBe(texts[1]![0]!.slice(0, 52));
    expect(await other.sealing.open(texts[0]!)).toEqual(['"x"']);
  });

  it('reads null once the key is destroyed, on another host after its key has left memory', async () => {
    const store = storage();
    const [one, other] = [sealingOf(store), sealingOf(store, 20)];
    const [sealed] = await one.sealing.seal([marked]);
    expect(await other.sealing.openText(sealed!)).toContain('Ann');
    await one.keys.destroy('ann');
    expect(JSON.parse(await one.sealing.openText(sealed!))).toEqual({ ...plain, name: null });
    await expect.poll(() => other.sealing.openText(sealed!), { timeout: 1_000 }).not.toContain('Ann');
  });

  it('reads null for a key of another service', async () => {
    const [sealed] = await sealingOf(storage()).sealing.seal([personalText('ann', '"x"')]);
    expect(await sealingOf(storage()).sealing.openText(sealed!)).toBe('null');
  });

  it('creates another key for a subject that returns after its erasure', async () => {
    const { keys, sealing } = sealingOf(storage());
    const [before] = await sealing.seal([personalText('ann', '"x"')]);
    await keys.destroy('ann');
    const [after] = await sealing.seal([personalText('ann', '"y"')]);
    expect(await sealing.open([before!, after!])).toEqual(['null', '"y"']);
  });

  it('rejects a value that has changed', async () => {
    const { sealing } = sealingOf(storage());
    const [sealed] = await sealing.seal([personalText('ann', '"x"')]);
    const at = sealed!.length - 10;
    const changed = sealed!.slice(0, at) + (sealed![at] === 'A' ? 'B' : 'A') + sealed!.slice(at + 1);
    await expect(sealing.openText(changed)).rejects.toMatchObject({ code: 'SVC_STORAGE_DAMAGED' });
  });

  it('rejects personal data without a subject', () => {
    for (const subject of ['', null, undefined, 7])
      expect(() => personalText(subject, '"x"')).toThrow('subject is empty');
  });
});

describe('localKeyVault', () => {
  const key = Buffer.alloc(32, 9);

  it('unwraps with old keys after a rotation, and wraps with the first', async () => {
    const wrapped = await vault.wrap(key);
    const rotated = localKeyVault(`${line('k2', 2)}\n${line('k1', 1)}\n`);
    expect(await rotated.unwrap(wrapped)).toEqual(key);
    expect(await rotated.wrap(key)).toMatch(/^k2:/);
    expect(wrapped).not.toContain(key.toString('base64url'));
  });

  it('reports a missing key, another key and an invalid text', async () => {
    const wrapped = await vault.wrap(key);
    await expect(localKeyVault(line('k2', 2)).unwrap(wrapped)).rejects.toThrow('it has no key "k1"');
    await expect(localKeyVault(line('k1', 2)).unwrap(wrapped)).rejects.toThrow('another one');
    for (const text of ['', 'k1', 'k1:c2hvcnQ=']) expect(() => localKeyVault(text)).toThrow('openssl rand -base64 32');
  });
});

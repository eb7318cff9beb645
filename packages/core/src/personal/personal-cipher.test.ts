import { describe, expect, it } from 'vitest';
import { personalText, encryptedPrefix, withoutMarks } from '../json/index.js';
import { InMemoryStorage } from '../storage/index.js';
import { localKeyVault, type KeyVault } from './key-vault.js';
import { PersonalCipher } from './personal-cipher.js';
import { SubjectKeys } from './subject-keys.js';

const line = (name: string, fill: number): string => `${name}:${Buffer.alloc(32, fill).toString('base64')}`;
const vault = localKeyVault(line('k1', 1));
const storage = (): InMemoryStorage => new InMemoryStorage();

function cipherOf(
  store: InMemoryStorage,
  inMemoryMs = 60_000,
  mostInMemory = 10_000,
): { keys: SubjectKeys; cipher: PersonalCipher } {
  const keys = new SubjectKeys(store.subjectKeys, vault, inMemoryMs, mostInMemory);
  return { keys, cipher: new PersonalCipher(keys) };
}

const marked = `{"id":1,"name":${personalText('ann', '"Ann \\"ü\\" \\u0001"')},"list":${personalText('bob', '[1,{"a":null}]')}}`;
const plain = { id: 1, name: 'Ann "ü" \u0001', list: [1, { a: null }] };

describe('PersonalCipher', () => {
  it('encrypts every delimited value, and decrypts it to the same text', async () => {
    const { cipher } = cipherOf(storage());
    const [encrypted, other] = await cipher.encrypt([marked, '{"b":2}']);
    expect(JSON.parse(encrypted!)).toMatchObject({ id: 1, name: expect.stringContaining(encryptedPrefix) as string });
    expect(encrypted).not.toContain('Ann');
    expect(encrypted).not.toContain('\u0001');
    expect(other).toBe('{"b":2}');
    expect(JSON.parse((await cipher.decrypt([encrypted!]))[0]!)).toEqual(plain);
    const contents: unknown[] = [
      { a: 1 },
      JSON.parse(encrypted!),
      { list: [[JSON.parse(encrypted!)]], text: encryptedPrefix },
    ];
    await cipher.decryptContents(contents);
    expect(contents).toEqual([{ a: 1 }, plain, { list: [[plain]], text: encryptedPrefix }]);
    expect(JSON.parse(withoutMarks(marked))).toEqual(plain);
  });

  it('encrypts equal values differently, and with one key per subject on all hosts', async () => {
    const store = storage();
    const [one, other] = [cipherOf(store), cipherOf(store)];
    const texts = await Promise.all([one, other].map(({ cipher }) => cipher.encrypt([personalText('ann', '"x"')])));
    expect(texts[0]![0]).not.toBe(texts[1]![0]);
    expect(texts[0]![0]!.slice(0, 52)).toBe(texts[1]![0]!.slice(0, 52));
    expect(await other.cipher.decrypt(texts[0]!)).toEqual(['"x"']);
  });

  it('reads null once the key is destroyed, on another host after its key has left memory', async () => {
    const store = storage();
    const [one, other] = [cipherOf(store), cipherOf(store, 20)];
    const [encrypted] = await one.cipher.encrypt([marked]);
    expect(await other.cipher.decryptText(encrypted!)).toContain('Ann');
    await one.keys.destroy('ann');
    expect(JSON.parse(await one.cipher.decryptText(encrypted!))).toEqual({ ...plain, name: null });
    await expect.poll(() => other.cipher.decryptText(encrypted!), { timeout: 1_000 }).not.toContain('Ann');
  });

  it('encrypts the values of more subjects than fit into memory, in one text and in many', async () => {
    const { cipher } = cipherOf(storage(), 60_000, 100);
    const values = Array.from({ length: 1_100 }, (_, n) => personalText(`subject ${n}`, `${n}`));
    const encrypted = await cipher.encrypt(values);
    expect(JSON.parse(await cipher.decryptText(`[${encrypted.join()}]`))).toEqual([...values.keys()]);
    const [list] = await cipher.encrypt([`[${values.join()}]`]);
    expect(list!.split(encryptedPrefix)).toHaveLength(values.length + 1);
  });

  it('encrypts if keys leave memory while others are loaded', async () => {
    let busy = Promise.resolve();
    const oneByOne = async (): Promise<void> => await (busy = busy.then(() => new Promise((go) => setTimeout(go, 2))));
    const slow: KeyVault = {
      wrap: (key) => vault.wrap(key),
      unwrap: (key) => oneByOne().then(() => vault.unwrap(key)),
    };
    const cipher = new PersonalCipher(new SubjectKeys(storage().subjectKeys, slow, 20));
    const values = Array.from({ length: 100 }, (_, n) => personalText(`subject ${n}`, `${n}`));
    const [encrypted] = await cipher.encrypt([`[${values.join()}]`]);
    expect(encrypted!.split(encryptedPrefix)).toHaveLength(101);
  });

  it('decrypts a page with more keys than fit into memory', async () => {
    const store = storage();
    const { cipher } = cipherOf(store, 60_000, 100);
    const contents: { name: unknown }[] = [];
    for (let i = 0; i < 1_500; i += 500) {
      const texts = Array.from({ length: 500 }, (_, n) => `{"name":${personalText(`subject ${i + n}`, `${i + n}`)}}`);
      contents.push(...(await cipher.encrypt(texts)).map((text) => JSON.parse(text) as { name: unknown }));
    }
    await cipherOf(store, 60_000, 100).cipher.decryptContents(contents);
    expect(contents.map(({ name }) => name)).toEqual(Array.from(contents.keys()));
  });

  it('reads null for a key of another service', async () => {
    const [encrypted] = await cipherOf(storage()).cipher.encrypt([personalText('ann', '"x"')]);
    expect(await cipherOf(storage()).cipher.decryptText(encrypted!)).toBe('null');
  });

  it('creates another key for a subject that returns after its erasure', async () => {
    const { keys, cipher } = cipherOf(storage());
    const [before] = await cipher.encrypt([personalText('ann', '"x"')]);
    await keys.destroy('ann');
    const [after] = await cipher.encrypt([personalText('ann', '"y"')]);
    expect(await cipher.decrypt([before!, after!])).toEqual(['null', '"y"']);
  });

  it('leaves a value that was not encrypted with its key as a text, and decrypts the others', async () => {
    const { cipher } = cipherOf(storage());
    const [encrypted] = await cipher.encrypt([personalText('ann', '"x"')]);
    const at = encrypted!.length - 10;
    const changed = encrypted!.slice(0, at) + (encrypted![at] === 'A' ? 'B' : 'A') + encrypted!.slice(at + 1);
    const short = `${encrypted!.slice(0, 53)}AAAA"`;
    const text = `{"changed":${changed},"short":${short},"name":${encrypted!}}`;
    const decrypted = text.replace(encrypted!, '"x"');
    expect(await cipher.decryptText(text)).toBe(decrypted);
    const contents = [JSON.parse(text) as object];
    await cipher.decryptContents(contents);
    expect(contents).toEqual([JSON.parse(decrypted)]);
  });

  it.each([
    ['a part of a longer text', (value: string) => JSON.stringify(`x${value}`)],
    ['the name of a property', (value: string) => `{${value} : 1}`],
    ['an id that is no UUID', (value: string) => value.replace(/[0-9a-f-]{36}/, '-'.repeat(36))],
  ])('never decrypts %s', async (_what, hidden) => {
    const { cipher } = cipherOf(storage());
    const [encrypted] = await cipher.encrypt([personalText('ann', '"x"')]);
    expect(await cipher.decryptText(hidden(encrypted!))).toBe(hidden(encrypted!));
  });

  it('rejects a text with delimiters that no writer has written', async () => {
    for (const text of ['\u0001', '\u0001"a"\u0002', '\u0001"a"\u00021']) {
      expect(() => cipherOf(storage()).cipher.encryptAtOnce([text])).toThrow('no writer has written it');
    }
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

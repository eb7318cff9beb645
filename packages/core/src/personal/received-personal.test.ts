import { beforeEach, describe, expect, it, vi } from 'vitest';
import { encryptedPrefix, hasPersonal, personalText, readable, type Issues } from '../json/index.js';
import { MessageRegistry, type MessageDescriptor } from '../messages/index.js';
import { InMemoryStorage } from '../storage/index.js';
import { localKeyVault } from './key-vault.js';
import { PersonalCipher } from './personal-cipher.js';
import { ReceivedPersonal } from './received-personal.js';
import { SubjectKeys } from './subject-keys.js';

/** As a generated class: `name` is personal data of `customer`, and `note` is not personal. */
class Named {
  customer = '';
  name: unknown = null;
  note: unknown = null;
}
class Name extends Named {}

const described = (type: string, kind: 'command' | 'event', made: typeof Named): MessageDescriptor<Named> => ({
  type,
  kind,
  class: made,
  hasPersonal: true,
  read: (value: unknown, issues: Issues) => {
    const { customer, name, note } = value as Named;
    const read = readable(name);
    if (typeof read === 'number') issues.add('name', 'must not be a number');
    return Object.assign(new made(), { customer, name: read, note });
  },
  write: ({ customer, name, note }) => {
    const personal = name === null ? 'null' : personalText(customer, JSON.stringify(name));
    return `{"customer":${JSON.stringify(customer)},"name":${personal},"note":${JSON.stringify(note ?? null)}}`;
  },
});
class Other {}
const other: MessageDescriptor = {
  type: 'test.Other',
  kind: 'event',
  class: Other,
  read: (value) => Object.assign(new Other(), value),
  write: JSON.stringify,
};
const messages = new MessageRegistry([
  described('test.Named', 'event', Named),
  described('test.Name', 'command', Name),
  other,
]);
const vault = localKeyVault(`k1:${Buffer.alloc(32, 1).toString('base64')}`);

let keys: SubjectKeys;
let cipher: PersonalCipher;
let received: ReceivedPersonal;
beforeEach(() => {
  keys = new SubjectKeys(new InMemoryStorage().subjectKeys, vault);
  cipher = new PersonalCipher(keys);
  received = new ReceivedPersonal(messages, cipher);
});

/** An encrypted value with its quotes. */
async function sealed(subject: string, value: unknown, by = cipher): Promise<string> {
  const [text] = await by.encrypt([personalText(subject, JSON.stringify(value))]);
  return text!;
}
const sealedByOther = (subject: string, value: unknown): Promise<string> =>
  sealed(subject, value, new PersonalCipher(new SubjectKeys(new InMemoryStorage().subjectKeys, vault)));
const body = (customer: string, name: string, rest = ''): string => `{"customer":"${customer}","name":${name}${rest}}`;
const eventOf = (text: string, type = 'test.Named') => received.event({ type, body: text, metadata: { source: 'x' } });
const misplaced = { code: 'SVC_SEALED_INPUT' };

describe('a received event', () => {
  it('with plain personal data gets delimiters, so that they are encrypted', async () => {
    const prepared = await eventOf(body('ann', '"Ann"', ',"note":"n","later":1'));
    expect(hasPersonal(prepared.body)).toBe(true);
    const [stored] = await cipher.encrypt([prepared.body]);
    expect(stored).not.toContain('Ann');
    expect(JSON.parse(await cipher.decryptText(stored!))).toEqual({ customer: 'ann', name: 'Ann', note: 'n' });
    expect(prepared.metadata).toEqual({ source: 'x' });
  });

  it('is stored as it is if it has no personal data, if they are encrypted, or if another service has the key', async () => {
    const texts = [
      body('ann', 'null'),
      body('ann', await sealed('ann', 'Ann'), ',"later":1'),
      body('ann', await sealed('ann', { first: 'Ann', last: 'Lee' })),
      body('ann', await sealedByOther('ann', 'Ann')),
      body('ann', 'null', `,"note":${await sealedByOther('ann', 'Ann')}`),
      body('ann', 'null', ',"note":"a \\" quote"'),
    ];
    for (const text of texts) expect((await eventOf(text)).body).toBe(text);
    const plain = '{"note":"\\u0001"}';
    expect((await eventOf(plain, 'test.Other')).body).toBe(plain);
  });

  it('is stored as it is once the key of its subject is destroyed', async () => {
    const text = body('ann', await sealed('ann', 'Ann'), `,"note":${await sealed('ann', 'Ann')}`);
    await keys.destroy('ann');
    expect((await eventOf(text)).body).toBe(text);
  });

  it('is rejected if a value would be decrypted where its class does not declare it', async () => {
    const value = await sealed('ann', 'Ann');
    await expect(eventOf(body('ann', 'null', `,"note":${value}`))).rejects.toMatchObject(misplaced);
    await expect(eventOf(body('ann', value, `,"note":[{"deep":${value}}]`))).rejects.toMatchObject(misplaced);
    await expect(eventOf(`{"note":${value}}`, 'test.Other')).rejects.toMatchObject(misplaced);
  });

  it('is rejected if a value would be decrypted for another subject', async () => {
    await expect(eventOf(body('eve', await sealed('ann', 'Ann')))).rejects.toMatchObject(misplaced);
  });

  it('is rejected if it hides a value by an escape, or by a second property with the same name', async () => {
    const value = await sealed('ann', 'Ann');
    const escaped = value.replace('svc-', 'svc\\u002d');
    await expect(eventOf(body('ann', escaped))).rejects.toMatchObject(misplaced);
    await expect(
      eventOf(body('ann', '"x"').replace('"name"', `"note":${value},"note":1,"name"`)),
    ).rejects.toMatchObject(misplaced);
  });

  it('is rejected if a value names a key of this database, and was not encrypted with it', async () => {
    const value = await sealed('ann', 'Ann');
    const [id] = value.match(/[0-9a-f-]{36}/)!;
    for (const forged of [
      `"${encryptedPrefix}${id}:AAAA"`,
      value.slice(0, -4) + (value.at(-4) === 'A' ? 'B' : 'A') + value.slice(-3),
    ])
      await expect(eventOf(body('ann', forged))).rejects.toMatchObject(misplaced);
  });

  it('is rejected if its decrypted values do not match its class', async () => {
    await expect(eventOf(body('ann', await sealed('ann', 7)))).rejects.toMatchObject({ code: 'SVC_UNREADABLE_EVENT' });
  });

  it('is rejected if its plain personal data have no subject', async () => {
    await expect(eventOf(body('', '"Ann"'))).rejects.toMatchObject({ code: 'SVC_SUBJECT_MISSING' });
  });
});

describe('a received command', () => {
  const opened = (text: string): Promise<string> => received.command('test.Name', text);

  it('is decrypted where its class declares personal data', async () => {
    expect(await opened(body('ann', await sealed('ann', 'Ann')))).toBe(body('ann', '"Ann"'));
    for (const text of [body('ann', '"Ann"'), body('ann', await sealedByOther('ann', 'Ann'))]) {
      expect(await opened(text)).toBe(text);
    }
  });

  it('is rejected if it has a value elsewhere, or of another subject', async () => {
    const value = await sealed('ann', 'Ann');
    await expect(opened(body('ann', 'null', `,"note":${value}`))).rejects.toMatchObject(misplaced);
    await expect(opened(body('eve', value))).rejects.toMatchObject(misplaced);
  });
});

it('asks the database for no key if a text has no encrypted value', async () => {
  const storage = new InMemoryStorage();
  vi.spyOn(storage.subjectKeys, 'byIds').mockRejectedValue(new Error('It asks for a key.'));
  const failing = new PersonalCipher(new SubjectKeys(storage.subjectKeys, vault));
  const message = { type: 'test.Named', body: body('ann', 'null', ',"note":"a \\" quote"'), metadata: {} };
  expect(await new ReceivedPersonal(messages, failing).event(message)).toBe(message);
});

it('checks bodies that are nested deeper than the call stack', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  // A backslash could hide an encrypted value.
  const text = `{"customer":"c1","name":null,"more":${deep},"text":"\\n"}`;
  for (const type of ['test.Named', 'test.Other']) {
    const event = { type, body: text, metadata: {} };
    expect(await received.event(event)).toBe(event);
  }
  expect(await received.command('test.Name', text)).toBe(text);
});

import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';
import {
  encryptedPrefix,
  encryptedString,
  encryptedValue,
  hasPersonal,
  parseJson,
  replacePersonal,
  subjectsIn,
  type Uuid,
} from '../json/index.js';
import type { SubjectKey, SubjectKeys } from './subject-keys.js';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** For how many subjects keys are loaded before some texts are encrypted with them: with more, a key service may take longer than a key stays in memory. */
const subjectsAtOnce = 500;

/** Encrypts and decrypts the personal values of JSON texts. Loads keys in several rounds if they leave memory in between. */
export class PersonalCipher {
  readonly #keys: SubjectKeys;

  constructor(keys: SubjectKeys) {
    this.#keys = keys;
  }

  /** Encrypts the delimited values of texts. The result has the same order. */
  async encrypt(texts: readonly string[]): Promise<readonly string[]> {
    const atOnce = this.encryptAtOnce(texts);
    if (atOnce !== null) return atOnce;
    const encryptedTexts: string[] = [];
    let part: string[] = [];
    let subjects = new Set<string>();
    for (const text of texts) {
      part.push(text);
      if (hasPersonal(text)) for (const subject of subjectsIn(text)) subjects.add(subject);
      if (subjects.size < subjectsAtOnce) continue;
      encryptedTexts.push(...(await this.#encryptFor(subjects, part)));
      part = [];
      subjects = new Set();
    }
    encryptedTexts.push(...(await this.#encryptFor(subjects, part)));
    return encryptedTexts;
  }

  async #encryptFor(subjects: ReadonlySet<string>, texts: readonly string[]): Promise<readonly string[]> {
    const keys = new Map<string, SubjectKey>();
    for (let missing = [...subjects]; missing.length > 0; missing = missing.filter((subject) => !keys.has(subject))) {
      await this.#keys.load(missing);
      for (const subject of missing) {
        const key = this.#keys.known(subject);
        if (key !== undefined) keys.set(subject, key);
      }
    }
    return texts.map((text) =>
      hasPersonal(text) ? replacePersonal(text, (subject, value) => encrypted(value, keys.get(subject)!)) : text,
    );
  }

  /** The same with the keys in memory. Null: one of them must be loaded. */
  encryptAtOnce(texts: readonly string[]): readonly string[] | null {
    let isComplete = true;
    const encryptedTexts = texts.map((text) => {
      if (!isComplete || !hasPersonal(text)) return text;
      return replacePersonal(text, (subject, value) => {
        const key = this.#keys.known(subject);
        if (key !== undefined) return encrypted(value, key);
        isComplete = false;
        return '';
      });
    });
    return isComplete ? encryptedTexts : null;
  }

  /** Whether a text has encrypted values. */
  isEncrypted(text: string): boolean {
    return text.includes(encryptedPrefix);
  }

  /** Decrypts the values of texts whose keys are loaded; null becomes the value of a key that no longer exists. */
  async decrypt(texts: readonly string[]): Promise<readonly string[]> {
    const ids = texts.flatMap((text) => (this.isEncrypted(text) ? keyIdsIn(text) : []));
    if (ids.length === 0) return texts;
    const keys = await this.#keysOf(ids);
    return texts.map((text) =>
      text.replace(encryptedValue, (all: string, id: Uuid, value: string) => decrypted(value, keys.get(id)!) ?? all),
    );
  }

  /**
   * The encrypted values of a JSON text from another program whose keys this database has. Null: the text hides one, by an escape or by two properties with
   * the same name, as svc never does.
   */
  async ownValuesIn(text: string): Promise<readonly OwnValue[] | null> {
    const found: EncryptedProperty[] = [];
    collect({ content: parseJson(text) }, found);
    if (found.length !== keyIdsIn(text).length) return null;
    const keys = await this.#keysOf(found.map(({ id }) => id));
    return found.flatMap(({ id, value }) => {
      const key = keys.get(id)!;
      return key.subject === null || key.secret === null ? [] : { subject: key.subject, text: decrypted(value, key) };
    });
  }

  /** Those of the encrypted values whose keys were destroyed: their subjects were erased. */
  async erasedAmong(values: readonly string[]): Promise<ReadonlySet<string>> {
    const idOf = (value: string): Uuid | undefined => keyIdsIn(JSON.stringify(value))[0];
    const keys = await this.#keysOf(values.flatMap((value) => idOf(value) ?? []));
    return new Set(values.filter((value) => keys.get(idOf(value)!)?.secret === null));
  }

  async decryptText(text: string): Promise<string> {
    return this.isEncrypted(text) ? (await this.decrypt([text]))[0]! : text;
  }

  /** Decrypts the values of parsed JSON where they are: a copy of everything around them would take as long. */
  async decryptContents(contents: readonly unknown[]): Promise<void> {
    const found: EncryptedProperty[] = [];
    for (const content of contents) if (isObject(content)) collect(content, found);
    if (found.length === 0) return;
    const keys = await this.#keysOf(found.map(({ id }) => id));
    for (const { holder, name, id, value } of found) {
      const text = decrypted(value, keys.get(id)!);
      if (text !== null) holder[name] = JSON.parse(text);
    }
  }

  /** The keys with some ids. More than fit into memory are loaded in several rounds. */
  async #keysOf(ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, SubjectKey>> {
    const keys = new Map<Uuid, SubjectKey>();
    for (let missing = [...new Set(ids)]; missing.length > 0; missing = missing.filter((id) => !keys.has(id))) {
      await this.#keys.loadByIds(missing);
      for (const id of missing) {
        const key = this.#keys.knownById(id);
        if (key !== undefined) keys.set(id, key);
      }
    }
    return keys;
  }
}

type Properties = Record<string, unknown>;

/** A value that was encrypted with a key of this database. */
export interface OwnValue {
  readonly subject: string;
  /** As JSON; null: it was not encrypted with the key, although it names it. */
  readonly text: string | null;
}

/** An encrypted value in parsed JSON. */
interface EncryptedProperty {
  readonly holder: Properties;
  readonly name: string;
  readonly id: Uuid;
  readonly value: string;
}

function keyIdsIn(text: string): Uuid[] {
  return Array.from(text.matchAll(encryptedValue), ([, id]) => id as Uuid);
}

/** Random bytes that are not used yet: to ask for those of one value costs as much as for those of many. */
const unusedIvs = Buffer.alloc(512 * ivBytes);
let used = unusedIvs.length;

function nextIv(): Buffer {
  if (used === unusedIvs.length) {
    randomFillSync(unusedIvs);
    used = 0;
  }
  return unusedIvs.subarray(used, (used += ivBytes));
}

function encrypted(value: string, { id, idBytes, secret }: SubjectKey): string {
  const iv = nextIv();
  const cipher = createCipheriv(algorithm, secret!, iv).setAAD(idBytes);
  const parts = [iv, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return `"${encryptedPrefix}${id}:${Buffer.concat(parts).toString('base64url')}"`;
}

/**
 * The JSON text of a value; null: it was not encrypted with this key. Then it remains a text, which reads as null in a personal property: one such value
 * must not make everything else unreadable.
 */
function decrypted(value: string, { idBytes, secret }: SubjectKey): string | null {
  if (secret === null) return 'null';
  const all = Buffer.from(value, 'base64url');
  if (all.length < ivBytes + tagBytes) return null;
  try {
    const decipher = createDecipheriv(algorithm, secret, all.subarray(0, ivBytes)).setAAD(idBytes);
    decipher.setAuthTag(all.subarray(-tagBytes));
    return decipher.update(all.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null;
}

function collect(root: Properties, found: EncryptedProperty[]): void {
  const open = [root];
  // Not recursive: another program can send a body that is nested deeper than the call stack allows.
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const name in holder) {
      const item = holder[name];
      if (isObject(item)) open.push(item);
      if (typeof item !== 'string' || !item.startsWith(encryptedPrefix)) continue;
      const [, id, value] = encryptedString.exec(item) ?? [];
      if (id !== undefined) found.push({ holder, name, id: id as Uuid, value: value! });
    }
  }
}

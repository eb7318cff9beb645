import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Uuid } from '../json/index.js';
import { newId } from '../messages/index.js';
import type { StorageSubjectKeys, SubjectKeyRecord } from '../storage/index.js';
import { JointLoading } from './joint-loading.js';
import type { KeyVault } from './key-vault.js';

/** How long an unwrapped key stays in memory: a host notices after this time that a subject was erased. */
export const longestInMemoryMs = 10_000;
const defaultMostInMemory = 10_000;

/** A key in memory. */
export interface SubjectKey {
  readonly id: Uuid;
  /** The id as additional data of ciphertexts. */
  readonly idBytes: Buffer;
  /** Null: the database does not have the key. */
  readonly subject: string | null;
  /** Null: it was destroyed, or belongs to another service. */
  readonly secret: KeyObject | null;
}

/** The keys of subjects, in memory for a short time. */
export class SubjectKeys {
  readonly #storage: StorageSubjectKeys;
  readonly #vault: KeyVault;
  /** How long a key stays in memory. */
  readonly inMemoryMs: number;
  readonly #mostInMemory: number;
  readonly #bySubject = new Map<string, Uuid>();
  readonly #byId = new Map<Uuid, { readonly key: SubjectKey; readonly until: number }>();
  readonly #subjects = new JointLoading<string>((subjects) => this.#loadSubjects(subjects));
  readonly #ids = new JointLoading<Uuid>((ids) => this.#loadIds(ids));

  constructor(
    storage: StorageSubjectKeys,
    vault: KeyVault,
    inMemoryMs: number = longestInMemoryMs,
    mostInMemory: number = defaultMostInMemory,
  ) {
    this.inMemoryMs = inMemoryMs;
    this.#mostInMemory = mostInMemory;
    this.#storage = storage;
    this.#vault = vault;
  }

  /** The key of a subject, if it is in memory. */
  known(subject: string): SubjectKey | undefined {
    const id = this.#bySubject.get(subject);
    const key = id === undefined ? undefined : this.knownById(id);
    return key?.secret === null ? undefined : key;
  }

  knownById(id: Uuid): SubjectKey | undefined {
    const entry = this.#byId.get(id);
    return entry !== undefined && entry.until > performance.now() ? entry.key : undefined;
  }

  /** Loads the keys of subjects, and creates missing ones. */
  async load(subjects: readonly string[]): Promise<void> {
    const missing = [...new Set(subjects)].filter((subject) => this.known(subject) === undefined);
    if (missing.length > 0) await this.#subjects.load(missing);
  }

  /** Loads the keys with some ids. */
  async loadByIds(ids: readonly Uuid[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => this.knownById(id) === undefined);
    if (missing.length > 0) await this.#ids.load(missing);
  }

  async #loadSubjects(subjects: readonly string[]): Promise<void> {
    const stored = await this.#storage.ofSubjects(subjects);
    const known = new Set(stored.map(({ subject }) => subject));
    const created = subjects.filter((subject) => !known.has(subject));
    await this.#remember(stored);
    if (created.length === 0) return;
    await this.#storage.add(await Promise.all(created.map((subject) => this.#create(subject))));
    // Another host may have been faster.
    await this.#remember(await this.#storage.ofSubjects(created));
  }

  async #loadIds(ids: readonly Uuid[]): Promise<void> {
    const stored = await this.#storage.byIds(ids);
    await this.#remember(stored);
    const found = new Set(stored.map(({ id }) => id));
    for (const id of ids) if (!found.has(id)) this.#add(id, null, null);
  }

  /** Destroys the key of a subject, and returns the ids of all its keys. */
  async destroy(subject: string): Promise<readonly Uuid[]> {
    const ids = await this.#storage.destroy(subject);
    this.#bySubject.delete(subject);
    for (const id of ids) this.#byId.delete(id);
    return ids;
  }

  async #create(subject: string): Promise<SubjectKeyRecord> {
    return { id: newId(), subject, wrapped: await this.#vault.wrap(randomBytes(32)) };
  }

  async #remember(records: readonly SubjectKeyRecord[]): Promise<void> {
    await Promise.all(
      records.map(async ({ id, subject, wrapped }) => {
        this.#add(id, subject, wrapped === null ? null : createSecretKey(await this.#vault.unwrap(wrapped)));
        if (wrapped !== null) this.#bySubject.set(subject, id);
      }),
    );
  }

  #add(id: Uuid, subject: string | null, secret: KeyObject | null): void {
    if (this.#byId.size >= this.#mostInMemory) {
      this.#byId.clear();
      this.#bySubject.clear();
    }
    const key = { id, idBytes: Buffer.from(id), subject, secret };
    this.#byId.set(id, { key, until: performance.now() + this.inMemoryMs });
  }
}

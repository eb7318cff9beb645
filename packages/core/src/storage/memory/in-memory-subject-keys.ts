import type { Uuid } from '../../json/index.js';
import type { RemovedRecords, StorageSubjectKeys, SubjectKeyRecord } from '../capabilities/subject-keys.js';

/** The keys of subjects, in memory. */
export class InMemorySubjectKeys implements StorageSubjectKeys {
  readonly #keys = new Map<Uuid, SubjectKeyRecord>();
  readonly #remove: (isEncrypted: (text: string) => boolean) => RemovedRecords;

  /** `remove` removes the records whose text satisfies a condition. */
  constructor(remove: (isEncrypted: (text: string) => boolean) => RemovedRecords) {
    this.#remove = remove;
  }

  ofSubjects(subjects: readonly string[]): Promise<readonly SubjectKeyRecord[]> {
    const found = [...this.#keys.values()].filter(
      ({ subject, wrapped }) => wrapped !== null && subjects.includes(subject),
    );
    return Promise.resolve(found);
  }

  byIds(ids: readonly Uuid[]): Promise<readonly SubjectKeyRecord[]> {
    return Promise.resolve(ids.flatMap((id) => this.#keys.get(id) ?? []));
  }

  hasKey(subject: string): Promise<boolean> {
    return Promise.resolve([...this.#keys.values()].some((key) => key.subject === subject));
  }

  async add(keys: readonly SubjectKeyRecord[]): Promise<void> {
    for (const key of keys) if ((await this.ofSubjects([key.subject])).length === 0) this.#keys.set(key.id, key);
  }

  destroy(subject: string): Promise<readonly Uuid[]> {
    const own = [...this.#keys.values()].filter((key) => key.subject === subject);
    for (const key of own) this.#keys.set(key.id, { ...key, wrapped: null });
    return Promise.resolve(own.map(({ id }) => id));
  }

  removeSealed(keyIds: readonly Uuid[]): Promise<RemovedRecords> {
    return Promise.resolve(this.#remove((text) => keyIds.some((id) => text.includes(sealedWith(id)))));
  }
}

function sealedWith(keyId: Uuid): string {
  return `svc-personal:1:${keyId}:`;
}

import type { Uuid } from '../../json/index.js';

/** The key of a subject, as a database stores it. */
export interface SubjectKeyRecord {
  readonly id: Uuid;
  readonly subject: string;
  /** The key, wrapped by the key vault; null: it was destroyed. */
  readonly wrapped: string | null;
}

/** How many records were removed. */
export interface RemovedRecords {
  readonly snapshots: number;
  readonly results: number;
  readonly deadLetters: number;
}

/**
 * The capability `subjectKeys`: the database stores the keys of subjects of personal data. A subject has at most one key that is not destroyed.
 *
 * Without it, a service with personal data does not start.
 */
export interface StorageSubjectKeys {
  /** The keys of subjects that are not destroyed. */
  ofSubjects(subjects: readonly string[]): Promise<readonly SubjectKeyRecord[]>;
  /** The keys with some ids, also destroyed ones. */
  byIds(ids: readonly Uuid[]): Promise<readonly SubjectKeyRecord[]>;
  /** Whether a subject has a key, or had one that was destroyed. */
  hasKey(subject: string): Promise<boolean>;
  /** Adds keys. A subject that has one, perhaps from another host, retains it. */
  add(keys: readonly SubjectKeyRecord[]): Promise<void>;
  /** Destroys the key of a subject, and returns the ids of all keys that the subject ever had. */
  destroy(subject: string): Promise<readonly Uuid[]>;
  /** Removes the snapshots of deciders, results and dead letters that contain values encrypted with one of the keys. */
  removeSealed(keyIds: readonly Uuid[]): Promise<RemovedRecords>;
}

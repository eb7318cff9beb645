import type { Uuid } from '@svc/core';
import type { RemovedRecords, SqlItem, StorageSubjectKeys, SubjectKeyRecord } from '@svc/core/storage';
import type { Connection } from './connection.js';

/** The table of the keys of subjects. */
export const subjectKeySchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/subject-keys',
  creates: 'svc_subject_keys',
  steps: [
    `
    CREATE TABLE svc_subject_keys (
      id      TEXT PRIMARY KEY,
      subject TEXT NOT NULL,
      wrapped TEXT -- by the key vault; null: destroyed
    ) STRICT;

    CREATE INDEX svc_subject_keys_of ON svc_subject_keys (subject);
    CREATE UNIQUE INDEX svc_subject_keys_current ON svc_subject_keys (subject) WHERE wrapped IS NOT NULL;`,
  ],
};

/** The keys of subjects, in a database file. */
export class SqliteSubjectKeys implements StorageSubjectKeys {
  readonly #open: () => Promise<Connection>;

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
  }

  async ofSubjects(subjects: readonly string[]): Promise<readonly SubjectKeyRecord[]> {
    const connection = await this.#open();
    return await connection.unlocked(() =>
      connection.sql.subjectKeys.all(JSON.stringify(subjects)).map((row) => keyOfRow(row)),
    );
  }

  async byIds(ids: readonly Uuid[]): Promise<readonly SubjectKeyRecord[]> {
    const connection = await this.#open();
    return await connection.unlocked(() =>
      connection.sql.subjectKeysById.all(JSON.stringify(ids)).map((row) => keyOfRow(row)),
    );
  }

  async hasKey(subject: string): Promise<boolean> {
    const connection = await this.#open();
    return await connection.unlocked(() => connection.sql.subjectKeyIds.all(subject).length > 0);
  }

  async add(keys: readonly SubjectKeyRecord[]): Promise<void> {
    const connection = await this.#open();
    await connection.secretTransaction(() => {
      for (const { id, subject, wrapped } of keys) connection.sql.addSubjectKey.run(id, subject, wrapped);
    });
  }

  async destroy(subject: string): Promise<readonly Uuid[]> {
    const connection = await this.#open();
    const ids = await connection.secretTransaction(() => {
      connection.sql.destroySubjectKey.run(subject);
      return connection.sql.subjectKeyIds.all(subject).map((row) => row['id'] as Uuid);
    });
    // Until then, the write-ahead log and the database file contain pages with the key.
    if (ids.length > 0) connection.emptyLog();
    return ids;
  }

  async removeSealed(keyIds: readonly Uuid[]): Promise<RemovedRecords> {
    const connection = await this.#open();
    const ids = JSON.stringify(keyIds);
    return await connection.transaction(() => {
      const { sql } = connection;
      return {
        snapshots: Number(sql.removeSealedSnapshots.run(ids).changes),
        results: Number(sql.removeSealedResults.run(ids).changes),
        deadLetters: Number(sql.removeSealedDeadLetters.run(ids).changes),
      };
    });
  }
}

function keyOfRow(row: Readonly<Record<string, unknown>>): SubjectKeyRecord {
  return { id: row['id'] as Uuid, subject: row['subject'] as string, wrapped: row['wrapped'] as string | null };
}

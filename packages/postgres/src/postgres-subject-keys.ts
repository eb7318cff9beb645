import type { Uuid } from '@svc/core';
import type { RemovedRecords, SqlItem, StorageSubjectKeys, SubjectKeyRecord } from '@svc/core/storage';
import type { Reader } from './reader.js';
import type { Row } from './row.js';

/** The table of the keys of subjects. */
export const subjectKeySchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/subject-keys',
  creates: 'svc_subject_keys',
  steps: [
    `
    CREATE TABLE svc_subject_keys (
      id      uuid PRIMARY KEY,
      subject text COLLATE "C" NOT NULL,
      wrapped text -- by the key vault; null: destroyed
    );

    CREATE INDEX svc_subject_keys_of ON svc_subject_keys (subject);
    CREATE UNIQUE INDEX svc_subject_keys_current ON svc_subject_keys (subject) WHERE wrapped IS NOT NULL;`,
    `
    -- A vacuum removes destroyed keys from the table. It runs after each erasure, also where the runtime role may not run one.
    ALTER TABLE svc_subject_keys SET (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);`,
  ],
};

/** The keys of subjects, in a PostgreSQL database. */
export class PostgresSubjectKeys implements StorageSubjectKeys {
  readonly #reader: Reader;
  readonly #open: () => Promise<void>;

  constructor(reader: Reader, open: () => Promise<void>) {
    this.#reader = reader;
    this.#open = open;
  }

  async ofSubjects(subjects: readonly string[]): Promise<readonly SubjectKeyRecord[]> {
    await this.#open();
    return (await this.#reader.rows('svc-subject-keys', ofSubjectsStatement, [JSON.stringify(subjects)])).map(keyOfRow);
  }

  async byIds(ids: readonly Uuid[]): Promise<readonly SubjectKeyRecord[]> {
    await this.#open();
    return (await this.#reader.rows('svc-subject-keys-by-id', byIdsStatement, [JSON.stringify(ids)])).map(keyOfRow);
  }

  async hasKey(subject: string): Promise<boolean> {
    await this.#open();
    return (await this.#reader.rows('svc-subject-key-ids', idsStatement, [subject])).length > 0;
  }

  async add(keys: readonly SubjectKeyRecord[]): Promise<void> {
    await this.#open();
    await this.#reader.rows('svc-subject-keys-add', addStatement, [JSON.stringify(keys)]);
  }

  async destroy(subject: string): Promise<readonly Uuid[]> {
    await this.#open();
    await this.#reader.rows('svc-subject-keys-destroy', destroyStatement, [subject]);
    const rows = await this.#reader.rows('svc-subject-key-ids', idsStatement, [subject]);
    if (rows.length > 0) await this.#vacuum();
    return rows.map((row) => row['id'] as Uuid);
  }

  /**
   * Removes the old versions of rows, which contain destroyed keys. Only the owner of the table may do it. In every other case, and while a transaction
   * can see the old versions, autovacuum does it later.
   */
  async #vacuum(): Promise<void> {
    try {
      const [row] = await this.#reader.rows(null, mayVacuumStatement);
      if (row?.['allowed'] === 'true') await this.#reader.rows(null, vacuumStatement);
    } catch {
      // The key is destroyed: the erasure continues.
    }
  }

  async removeSealed(keyIds: readonly Uuid[]): Promise<RemovedRecords> {
    await this.#open();
    const [row] = await this.#reader.rows(null, removeStatement, [JSON.stringify(keyIds)], longestRemovalMs);
    return {
      snapshots: Number(row!['snapshots']),
      results: Number(row!['results']),
      deadLetters: Number(row!['dead_letters']),
    };
  }
}

/** It reads all rows of three tables. */
const longestRemovalMs = 600_000;

function keyOfRow(row: Row): SubjectKeyRecord {
  return { id: row['id'] as Uuid, subject: row['subject'] as string, wrapped: row['wrapped'] as string | null };
}

const ofSubjectsStatement = `
  SELECT id, subject, wrapped FROM svc_subject_keys
  WHERE wrapped IS NOT NULL AND subject IN (SELECT jsonb_array_elements_text($1::jsonb))`;

const byIdsStatement = `
  SELECT id, subject, wrapped FROM svc_subject_keys
  WHERE id IN (SELECT id::uuid FROM jsonb_array_elements_text($1::jsonb) AS asked (id))`;

const addStatement = `
  INSERT INTO svc_subject_keys (id, subject, wrapped)
  SELECT id, subject, wrapped FROM jsonb_to_recordset($1::jsonb) AS added (id uuid, subject text, wrapped text)
  ON CONFLICT (subject) WHERE wrapped IS NOT NULL DO NOTHING`;

const destroyStatement = 'UPDATE svc_subject_keys SET wrapped = NULL WHERE subject = $1 AND wrapped IS NOT NULL';

const idsStatement = 'SELECT id FROM svc_subject_keys WHERE subject = $1';

/** PostgreSQL skips a table that the role may not vacuum, and logs a warning. */
const mayVacuumStatement = `
  SELECT (CASE WHEN current_setting('server_version_num')::int < 170000 THEN pg_has_role(relowner, 'USAGE')
    ELSE has_table_privilege(oid, 'MAINTAIN') END)::text AS allowed
  FROM pg_class WHERE oid = 'svc_subject_keys'::regclass`;

/** It waits for no other vacuum, and takes no lock that readers wait for. */
const vacuumStatement = 'VACUUM (SKIP_LOCKED, TRUNCATE FALSE) svc_subject_keys';

const isSealed = (column: string): string => `
  EXISTS (SELECT FROM jsonb_array_elements_text($1::jsonb) AS key (id)
    WHERE strpos(${column}, 'svc-personal:1:' || key.id || ':') > 0)`;

const removeStatement = `
  WITH snapshots AS (DELETE FROM svc_decider_snapshots WHERE ${isSealed('state')} RETURNING 1),
    results AS (DELETE FROM svc_idempotency WHERE ${isSealed('result')} RETURNING 1),
    dead_letters AS (DELETE FROM svc_dead_letters WHERE ${isSealed('record::text')} RETURNING 1)
  SELECT (SELECT count(*) FROM snapshots) AS snapshots, (SELECT count(*) FROM results) AS results,
    (SELECT count(*) FROM dead_letters) AS dead_letters`;

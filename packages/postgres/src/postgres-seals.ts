import {
  DigestingWorker,
  type DigestingThread,
  type LogPage,
  type OutgoingRecord,
  type SealHead,
  type SealRecord,
  type SqlItem,
  type StorageSeals,
} from '@svc/core/storage';
import type { Pool } from 'pg';
import type { PostgresOptions, Settings } from './options.js';
import type { PostgresReplay } from './postgres-replay.js';
import { outgoingStatements } from './perspective-commit.js';
import type { Reader } from './reader.js';
import type { Row } from './row.js';
import { inTransaction } from './transaction.js';

/** The tables of the seals. */
export const sealSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/seals',
  creates: 'svc_seals',
  steps: [
    `
    CREATE TABLE svc_seals (
      number        bigint PRIMARY KEY, -- of the checkpoint
      size          bigint NOT NULL,    -- how many events of the log it covers
      last_sequence bigint NOT NULL,    -- of the last of them
      checkpoint    text NOT NULL,      -- as it was signed
      frontier      bytea NOT NULL,     -- the complete subtrees of the Merkle tree
      entries       bytea NOT NULL      -- id and digests of each event since the previous seal
    );

    -- Digests do not compress.
    ALTER TABLE svc_seals ALTER COLUMN entries SET STORAGE EXTERNAL;

    CREATE TRIGGER svc_seals_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON svc_seals
    FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change();

    -- The number of the last seal that each anchor has received.
    CREATE TABLE svc_seal_anchors (
      anchor text PRIMARY KEY,
      number bigint NOT NULL
    );`,
  ],
};

/** The seals of a log, in a PostgreSQL database. */
export class PostgresSeals implements StorageSeals {
  readonly #reader: Reader;
  readonly #pool: Pool;
  readonly #open: () => Promise<void>;
  readonly #replay: PostgresReplay;
  readonly #settings: Settings;

  constructor(
    reader: Reader,
    pool: Pool,
    open: () => Promise<void>,
    { replay, settings }: { readonly replay: PostgresReplay; readonly settings: Settings },
  ) {
    this.#reader = reader;
    this.#pool = pool;
    this.#open = open;
    this.#replay = replay;
    this.#settings = settings;
  }

  startThread(): Promise<DigestingThread | null> {
    const module = new URL('./digesting-thread.js', import.meta.url);
    return Promise.resolve(DigestingWorker.start(module, optionsOfThread(this.#settings)));
  }

  readLog(afterSequence: number, size: number): AsyncIterable<LogPage> {
    return this.#replay.readLogPages(afterSequence, size);
  }

  async readLast(): Promise<SealHead | null> {
    await this.#open();
    const [row] = await this.#reader.rows('svc-seal-last', lastStatement);
    return row === undefined ? null : headOf(row);
  }

  async read(after: number, limit: number): Promise<readonly SealRecord[]> {
    await this.#open();
    const rows = await this.#reader.rows('svc-seals', readStatement, [after, limit]);
    return rows.map((row) => Object.assign(headOf(row), { entries: bytesOf(row['entries']!) }));
  }

  async append(seal: SealRecord, outgoing: readonly OutgoingRecord[]): Promise<boolean> {
    await this.#open();
    const { number, size, lastSequence, checkpoint, frontier, entries } = seal;
    return await inTransaction(this.#pool, async (client) => {
      const values = [number, size, lastSequence, checkpoint, Buffer.from(frontier), Buffer.from(entries)];
      const { rowCount } = await client.query(insertStatement, values);
      if (rowCount !== 1) return false;
      for (const statement of outgoingStatements(outgoing)) await client.query(statement);
      return true;
    });
  }

  async readAnchored(): Promise<ReadonlyMap<string, number>> {
    await this.#open();
    const rows = await this.#reader.rows('svc-seal-anchors', 'SELECT anchor, number FROM svc_seal_anchors');
    return new Map(rows.map((row) => [row['anchor']!, Number(row['number'])]));
  }

  async recordAnchored(anchor: string, number: number): Promise<void> {
    await this.#open();
    await this.#reader.rows('svc-seal-anchored', anchoredStatement, [anchor, number]);
  }
}

/** How a thread connects that only reads. An archive cannot be passed to it: it fails at events that are archived. */
function optionsOfThread(settings: Settings): PostgresOptions {
  const { url, listenUrl, ssl, allowPlaintext, applicationName } = settings;
  const { connectTimeoutMs, statementTimeoutMs, stallMs, migrations } = settings;
  const limits = { connectTimeoutMs, statementTimeoutMs, stallMs, migrations, readers: 1 };
  const name = `${applicationName} seals`;
  return { url, listenUrl, allowPlaintext, applicationName: name, ...limits, ...(ssl !== undefined && { ssl }) };
}

const head = 'number, size, last_sequence, checkpoint, frontier';
const lastStatement = `SELECT ${head} FROM svc_seals ORDER BY number DESC LIMIT 1`;
const readStatement = `SELECT ${head}, entries FROM svc_seals WHERE number > $1 ORDER BY number LIMIT $2`;

/** A concurrent insert of the same number is waited for, and then nothing is inserted. */
const insertStatement = `
  INSERT INTO svc_seals (number, size, last_sequence, checkpoint, frontier, entries)
  SELECT $1::bigint, $2, $3, $4, $5, $6
  WHERE $1::bigint = (SELECT coalesce(max(number), 0) + 1 FROM svc_seals)
  ON CONFLICT (number) DO NOTHING`;

const anchoredStatement = `
  INSERT INTO svc_seal_anchors AS known (anchor, number) VALUES ($1, $2)
  ON CONFLICT (anchor) DO UPDATE SET number = greatest(known.number, excluded.number)`;

function headOf(row: Row): SealHead {
  return {
    number: Number(row['number']),
    size: Number(row['size']),
    lastSequence: Number(row['last_sequence']),
    checkpoint: row['checkpoint']!,
    frontier: bytesOf(row['frontier']!),
  };
}

/** PostgreSQL writes bytes as hexadecimal digits after a prefix. */
function bytesOf(text: string): Uint8Array {
  return Buffer.from(text.slice(2), 'hex');
}

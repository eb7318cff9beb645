import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ArchivedBodies, LogPlace, ReplayPage, StorageReplay } from '@svc/core/storage';
import type { Connection } from './connection.js';
import type { Row } from './engine.js';
import { withArchivedBodies, withLargeBodies } from './large-bodies.js';
import { eventColumn, missingColumns, toParsedRecord } from './rows.js';

/** How many events are scanned before other work of the process gets its turn. */
const scannedPerTurn = 5_000;

/** The capability `replay`: the database selects and counts the events of some types. */
export class SqliteReplay implements StorageReplay {
  readonly #open: () => Promise<Connection>;
  readonly #archived: ArchivedBodies;

  constructor(open: () => Promise<Connection>, archived: ArchivedBodies) {
    this.#open = open;
    this.#archived = archived;
  }

  async *readReplayPages(afterSequence: number, pageSize: number, types: readonly string[]): AsyncIterable<ReplayPage> {
    const wanted = JSON.stringify(types);
    for (let after = afterSequence; ;) {
      const { page, isLast } = await this.#page(after, pageSize, wanted);
      if (page !== null) yield page;
      // Not until there is no event: while others append, there always is one.
      if (page === null || isLast) return;
      after = page.upTo.sequence;
      await nextTurn();
    }
  }

  async countEvents(types: readonly string[], { sequence }: LogPlace, signal?: AbortSignal): Promise<number> {
    let count = 0;
    for await (const row of this.#scan('countEvents', types, sequence, signal)) count += row['events'] as number;
    return count;
  }

  async readStreamEnds(types: readonly string[], signal?: AbortSignal): Promise<readonly LogPlace[]> {
    const ends = new Map<unknown, number>();
    for await (const row of this.#scan('streamEnds', types, Infinity, signal)) {
      ends.set(row['stream_id'], row['last'] as number);
    }
    return [...ends.values()].toSorted((a, b) => a - b).map((sequence) => ({ sequence }));
  }

  /** The events of some types out of the next ones in the log; null: there are no next ones. `isLast`: none follow the page. */
  async #page(
    after: number,
    pageSize: number,
    types: string,
  ): Promise<{ readonly page: ReplayPage | null; readonly isLast: boolean }> {
    const connection = await this.#open();
    const { sql } = connection;
    const { end, found, selected, stored } = await connection.unlocked(() => {
      const next = endAfter(connection, after, pageSize);
      const rows = next.end === null ? [] : sql.readTypes.all(after, next.end, types);
      return {
        ...next,
        selected: rows.length,
        stored: withLargeBodies(rows, eventColumn, (row) => missingColumns(sql, row)),
      };
    });
    if (end === null) return { page: null, isLast: true };
    const records = (await withArchivedBodies(stored, this.#archived)).map(toParsedRecord);
    const isCut = records.length < selected;
    const upTo = { sequence: isCut ? records.at(-1)!.sequence : end };
    return { page: { records, upTo }, isLast: !isCut && found < pageSize };
  }

  async *#scan(
    statement: 'countEvents' | 'streamEnds',
    types: readonly string[],
    upTo: number,
    signal: AbortSignal | undefined,
  ): AsyncIterable<Row> {
    const connection = await this.#open();
    const wanted = JSON.stringify(types);
    for (let after = -1; after < upTo;) {
      signal?.throwIfAborted();
      const { rows, end } = await connection.unlocked(() => {
        const { end: last } = endAfter(connection, after, scannedPerTurn);
        if (last === null) return { rows: [], end: null };
        return { rows: connection.sql[statement].all(after, Math.min(last, upTo), wanted), end: last };
      });
      yield* rows;
      if (end === null) return;
      after = end;
      await nextTurn();
    }
  }
}

/** The sequence number of the last of the next events, null if there are none, and how many there are. */
function endAfter({ sql }: Connection, after: number, count: number): { end: number | null; found: number } {
  const row = sql.endOfPage.get(after, count)!;
  return { end: row['last'] as number | null, found: row['found'] as number };
}

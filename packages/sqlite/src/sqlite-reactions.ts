import type { Uuid } from '@svc/core';
import {
  reactionSegmentOf,
  reactionSegments,
  type DueStreams,
  type FailedStream,
  type FailedStreamRecord,
  type ReactionFacts,
  type ReactionRecord,
  type ReactionSegment,
  type ReactionStanding,
  type ReactionStart,
  type ReactionTerm,
  type SegmentMove,
  type StorageReactions,
} from '@svc/core/storage';
import type { Connection } from './connection.js';
import type { Row } from './engine.js';
import { highest } from './numbers.js';
import type { Statements } from './statements.js';

/** The reactions in a database file. */
export class SqliteReactions implements StorageReactions {
  readonly #open: () => Promise<Connection>;

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
  }

  register(name: string, from: ReactionStart | null): Promise<boolean> {
    return this.#transaction((sql) => {
      if (sql.findReaction.get(name) !== undefined) return true;
      if (from === null && sql.hasDomainEvents.get() !== undefined) return false;
      const place = from === 'now' ? highest(sql.lastSequence.get()) : -1;
      sql.insertReaction.run(name, place, Date.now());
      for (let segment = 0; segment < reactionSegments; segment++) sql.insertSegment.run(name, segment, place);
      return true;
    });
  }

  find(name: string): Promise<ReactionRecord | null> {
    return this.#unlocked((sql) => {
      const row = sql.findReaction.get(name);
      return row === undefined ? null : { ...toFacts(row), segments: sql.readSegments.all(name).map(toSegment) };
    });
  }

  readStandings(limit: number): Promise<readonly ReactionStanding[]> {
    return this.#unlocked((sql) =>
      sql.reactionStandings.all(limit).map((row) =>
        Object.assign(toFacts(row), {
          sequence: row['sequence'] as number,
          behind: row['behind'] as number,
          oldest: row['oldest'] as number | null,
          waiting: row['waiting'] as number,
          parked: row['parked'] as number,
        }),
      ),
    );
  }

  begin(name: string, segments: readonly number[]): Promise<ReactionTerm | null> {
    return this.#transaction((sql) => {
      const row = sql.findReaction.get(name);
      if (row === undefined) return null;
      const begun = sql.beginTerm.all(name, JSON.stringify(segments)).map(toSegment);
      return {
        isPaused: toFacts(row).isPaused,
        segments: begun.toSorted((a, b) => a.segment - b.segment),
        reacted: sql.readReacted.all(name).map((one) => one['event_id'] as Uuid),
        hasFailedStreams: sql.hasFailedStreams.get(name, JSON.stringify(segments)) !== undefined,
      };
    });
  }

  /** Does not wait for the disk: after a power failure, the events behind the place are still recorded as processed. */
  async advance(name: string, sequence: number, moves: readonly SegmentMove[]): Promise<boolean> {
    const connection = await this.#open();
    return await connection.derivedTransaction(() => {
      const moved = moves.filter(({ segment, term, passed }) =>
        changedInTerm(connection.sql, { name, segment, term }, passed, (sql) =>
          sql.advanceSegment.run(sequence, name, segment),
        ),
      );
      return moved.length === moves.length;
    });
  }

  suspend(
    name: string,
    term: number,
    { streamId, position, eventId, attempts, errorName, errorMessage }: FailedStream,
    retryInMs: number | null,
    passed: readonly Uuid[],
  ): Promise<boolean> {
    const retryAt = retryInMs === null ? null : Math.ceil(Date.now() + retryInMs);
    const segment = reactionSegmentOf(streamId);
    const values = [name, segment, streamId, position, eventId, attempts, retryAt, errorName, errorMessage];
    return this.#inTerm({ name, segment, term }, passed, (sql) => sql.suspendStream.run(...values));
  }

  resume(name: string, term: number, streamId: Uuid, passed: readonly Uuid[]): Promise<boolean> {
    const own = { name, segment: reactionSegmentOf(streamId), term };
    return this.#inTerm(own, passed, (sql) => sql.resumeStream.run(name, streamId));
  }

  findFailed(name: string, streamIds: readonly Uuid[]): Promise<readonly Uuid[]> {
    return this.#unlocked((sql) =>
      sql.findFailedStreams.all(name, JSON.stringify(streamIds)).map((row) => row['stream_id'] as Uuid),
    );
  }

  readDue(name: string, segments: readonly number[], limit: number): Promise<DueStreams> {
    return this.#unlocked((sql) => {
      const now = Date.now();
      const waiting = sql.dueStreams.all(name, JSON.stringify(segments), limit + 1);
      const due = waiting.filter((row) => (row['retry_at'] as number) <= now).slice(0, limit);
      const next = waiting[due.length];
      return {
        streams: due.map(toStream),
        nextInMs: next === undefined ? null : Math.max(0, (next['retry_at'] as number) - now),
      };
    });
  }

  readFailed(name: string, after: Uuid | null, limit: number): Promise<readonly FailedStreamRecord[]> {
    return this.#unlocked((sql) => {
      const now = Date.now();
      return sql.readFailedStreams.all(name, after ?? '', limit).map((row) => {
        const retryAt = row['retry_at'] as number | null;
        return Object.assign(toStream(row), { retryInMs: retryAt === null ? null : Math.max(0, retryAt - now) });
      });
    });
  }

  setPaused(name: string, isPaused: boolean): Promise<boolean> {
    return this.#transaction((sql) => {
      sql.beginTerms.run(name);
      return Number(sql.pauseReaction.run(isPaused ? 1 : 0, name).changes) > 0;
    });
  }

  retry(name: string, streamId: Uuid | null): Promise<number> {
    return this.#transaction((sql) => {
      sql.beginTerms.run(name);
      return Number(sql.retryStreams.run(Date.now(), name, streamId).changes);
    });
  }

  skip(name: string, streamId: Uuid): Promise<boolean> {
    return this.#transaction((sql) => {
      sql.beginTerms.run(name);
      return Number(sql.skipEvent.run(Date.now(), name, streamId).changes) > 0;
    });
  }

  #inTerm(own: OwnSegment, passed: readonly Uuid[], change: (sql: Statements) => void): Promise<boolean> {
    return this.#transaction((sql) => changedInTerm(sql, own, passed, change));
  }

  async #transaction<T>(work: (sql: Statements) => T): Promise<T> {
    const connection = await this.#open();
    return await connection.transaction(() => work(connection.sql));
  }

  async #unlocked<T>(work: (sql: Statements) => T): Promise<T> {
    const connection = await this.#open();
    return await connection.unlocked(() => work(connection.sql));
  }
}

/** A segment of a reaction during a term. */
interface OwnSegment {
  readonly name: string;
  readonly segment: number;
  readonly term: number;
}

function changedInTerm(
  sql: Statements,
  { name, segment, term }: OwnSegment,
  passed: readonly Uuid[],
  change: (sql: Statements) => void,
): boolean {
  if (sql.isInTerm.get(name, segment, term) === undefined) return false;
  change(sql);
  if (passed.length > 0) sql.forgetReacted.run(name, JSON.stringify(passed));
  return true;
}

function toSegment(row: Row): ReactionSegment {
  return {
    segment: row['segment'] as number,
    sequence: row['sequence'] as number,
    term: row['term'] as number,
  };
}

function toFacts(row: Row): ReactionFacts {
  return {
    name: row['name'] as string,
    isPaused: row['paused'] === 1,
    startedAt: row['started_at'] as number,
    startedAfter: row['started_after'] as number,
  };
}

function toStream(row: Row): FailedStream {
  return {
    streamId: row['stream_id'] as Uuid,
    position: row['position'] as number,
    eventId: row['event_id'] as Uuid,
    attempts: row['attempts'] as number,
    errorName: row['error_name'] as string,
    errorMessage: row['error_message'] as string,
  };
}

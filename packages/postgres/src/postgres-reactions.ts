import { setTimeout as sleep } from 'node:timers/promises';
import type { Uuid } from '@svc/core';
import {
  reactionSegmentOf,
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
import {
  advanceStatement,
  beginStatement,
  dueStatement,
  findFailedStatement,
  findReactionStatement,
  lastEventStatement,
  leftStatement,
  pauseStatement,
  readFailedStatement,
  reactionStandingsStatement,
  registerStatement,
  resumeStatement,
  retryStatement,
  skipStatement,
  suspendStatement,
} from './reaction-statements.js';
import type { Settings } from './options.js';
import type { ReactedRow, ReactedRows } from './reacted-rows.js';
import { ReadingGate } from './reading-gate.js';
import type { Reader } from './reader.js';
import type { Row } from './row.js';
import { noId } from './storage-statements.js';

/** How often svc checks whether an open transaction can still append before the last event. */
const pauseMs = 20;

/** The reactions in a PostgreSQL database. Times are those of the server. */
export class PostgresReactions implements StorageReactions {
  readonly #reader: Reader;
  readonly #gate: ReadingGate;
  readonly #open: () => Promise<void>;
  readonly #stallMs: number;
  readonly #reacted: ReactedRows;

  constructor(reader: Reader, open: () => Promise<void>, reacted: ReactedRows, { stallMs }: Settings) {
    this.#reader = reader;
    this.#reacted = reacted;
    this.#gate = new ReadingGate(reader);
    this.#open = open;
    this.#stallMs = stallMs;
  }

  async register(name: string, from: ReactionStart | null): Promise<boolean> {
    await this.#open();
    if ((await this.find(name)) !== null) return true;
    const sequence = from === 'now' ? await this.#endOfLog() : -1;
    await this.#reader.rows('svc-reaction-register', registerStatement, [name, sequence, from !== null]);
    return (await this.find(name)) !== null;
  }

  /** The last event, once no open transaction can append before it. */
  async #endOfLog(): Promise<number> {
    const [last] = await this.#reader.rows('svc-reaction-last-event', lastEventStatement);
    if (last === undefined) return -1;
    const limit = performance.now() + this.#stallMs;
    while (!(await this.#gate.read(last['transaction_id']!)).isOpen && performance.now() < limit) await sleep(pauseMs);
    return Number(last['sequence']);
  }

  async find(name: string): Promise<ReactionRecord | null> {
    await this.#open();
    const [row] = await this.#reader.rows('svc-reaction', findReactionStatement, [name]);
    if (row === undefined) return null;
    return { ...toFacts(row), segments: JSON.parse(row['segments']!) as ReactionSegment[] };
  }

  async readStandings(limit: number): Promise<readonly ReactionStanding[]> {
    await this.#open();
    const rows = await this.#reader.rows('svc-reaction-standings', reactionStandingsStatement, [limit]);
    return rows.map((row) =>
      Object.assign(toFacts(row), {
        sequence: Number(row['sequence']),
        behind: Number(row['events']),
        oldest: row['oldest'] === null ? null : Number(row['oldest']),
        waiting: Number(row['waiting']),
        parked: Number(row['parked']),
      }),
    );
  }

  async begin(name: string, segments: readonly number[]): Promise<ReactionTerm | null> {
    await this.#open();
    const rows = await this.#reader.rows('svc-reaction-begin', beginStatement, [name, segments]);
    // A second statement sees what hosts of earlier terms have committed.
    const begun = rows.map(toSegment).toSorted((a, b) => a.segment - b.segment);
    const terms = begun.map(({ term }) => term);
    const values = [name, begun.map(({ segment }) => segment), terms];
    const [left] = await this.#reader.rows('svc-reaction-left', leftStatement, values);
    if (left === undefined) return null;
    const reacted = JSON.parse(left['reacted']!) as ReactedRow[];
    this.#reacted.begin(name, begun, reacted);
    return {
      isPaused: left['paused'] === 'true',
      segments: begun,
      reacted: reacted.flatMap(({ events }) => events),
      hasFailedStreams: left['has_failed'] === 'true',
    };
  }

  async advance(name: string, sequence: number, moves: readonly SegmentMove[]): Promise<boolean> {
    const rows = moves.map(({ segment, term, passed }) => ({
      segment,
      term,
      passed: this.#reacted.passed(name, segment, term, passed),
    }));
    const values = [name, sequence, JSON.stringify(rows)];
    // Without a name, so that it is planned for the present size of the table: a plan for an empty table takes minutes to remove 50,000 rows.
    return (await this.#reader.rows(null, advanceStatement, values)).length === moves.length;
  }

  async suspend(
    name: string,
    term: number,
    { streamId, position, eventId, attempts, errorName, errorMessage }: FailedStream,
    retryInMs: number | null,
    passed: readonly Uuid[],
  ): Promise<boolean> {
    const failure = [streamId, position, eventId, attempts, retryInMs, errorName, errorMessage];
    const segment = reactionSegmentOf(streamId);
    const values = [name, segment, term, ...failure, this.#reacted.passed(name, segment, term, passed)];
    return (await this.#reader.rows('svc-reaction-suspend', suspendStatement, values)).length > 0;
  }

  async resume(name: string, term: number, streamId: Uuid, passed: readonly Uuid[]): Promise<boolean> {
    const segment = reactionSegmentOf(streamId);
    const values = [name, segment, term, streamId, this.#reacted.passed(name, segment, term, passed)];
    return (await this.#reader.rows('svc-reaction-resume', resumeStatement, values)).length > 0;
  }

  async findFailed(name: string, streamIds: readonly Uuid[]): Promise<readonly Uuid[]> {
    const rows = await this.#reader.rows('svc-reaction-find-failed', findFailedStatement, [name, streamIds]);
    return rows.map((row) => row['stream_id'] as Uuid);
  }

  async readDue(name: string, segments: readonly number[], limit: number): Promise<DueStreams> {
    const rows = await this.#reader.rows('svc-reaction-due', dueStatement, [name, segments, limit + 1]);
    const due = rows.filter((row) => Number(row['retry_in_ms']) <= 0).slice(0, limit);
    const next = rows[due.length];
    return {
      streams: due.map(toStream),
      nextInMs: next === undefined ? null : Math.max(0, Number(next['retry_in_ms'])),
    };
  }

  async readFailed(name: string, after: Uuid | null, limit: number): Promise<readonly FailedStreamRecord[]> {
    await this.#open();
    const rows = await this.#reader.rows('svc-reaction-failed', readFailedStatement, [name, after ?? noId, limit]);
    return rows.map((row) =>
      Object.assign(toStream(row), {
        retryInMs: row['retry_in_ms'] === null ? null : Math.max(0, Number(row['retry_in_ms'])),
      }),
    );
  }

  async setPaused(name: string, isPaused: boolean): Promise<boolean> {
    await this.#open();
    return (await this.#reader.rows('svc-reaction-pause', pauseStatement, [name, isPaused])).length > 0;
  }

  async retry(name: string, streamId: Uuid | null): Promise<number> {
    await this.#open();
    return (await this.#reader.rows('svc-reaction-retry', retryStatement, [name, streamId])).length;
  }

  /** Names the position, so that repeating the statement after a lost connection has no effect. */
  async skip(name: string, streamId: Uuid): Promise<boolean> {
    await this.#open();
    const [failed] = await this.#reader.rows('svc-reaction-failed-one', findFailedPosition, [name, streamId]);
    if (failed === undefined) return false;
    const values = [name, streamId, Number(failed['position'])];
    await this.#reader.rows('svc-reaction-skip', skipStatement, values);
    return true;
  }
}

const findFailedPosition = 'SELECT position FROM svc_reaction_streams WHERE reaction = $1 AND stream_id = $2';

function toSegment(row: Row): ReactionSegment {
  return { segment: Number(row['segment']), sequence: Number(row['sequence']), term: Number(row['term']) };
}

function toFacts(row: Row): ReactionFacts {
  return {
    name: row['name']!,
    isPaused: row['paused'] === 'true',
    startedAt: Number(row['started_at']),
    startedAfter: Number(row['started_after']),
  };
}

function toStream(row: Row): FailedStream {
  return {
    streamId: row['stream_id'] as Uuid,
    position: Number(row['position']),
    eventId: row['event_id'] as Uuid,
    attempts: Number(row['attempts']),
    errorName: row['error_name']!,
    errorMessage: row['error_message']!,
  };
}

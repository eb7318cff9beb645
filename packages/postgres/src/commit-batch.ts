import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '@svc/core';
import {
  StorageDamagedError,
  StorageUnavailableError,
  type CommitBatch,
  type CommitOutcome,
  type CommitRecord,
} from '@svc/core/storage';
import type { Pool, QueryResult } from 'pg';
import { commitQuery, singleEventQuery, type CommitQuery } from './commit-query.js';
import type { Refusal } from './commit-statement.js';
import { rememberReacted } from './remember-reacted.js';
import { isConnectionLost, isDamage, isReacted, isRefusingWork, isToDiscard, refusalReason } from './failures.js';
import { outcomesOf, RacedRecordError } from './outcomes.js';
import { mayRaceAgain, pauseAfterRace } from './races.js';
import { rawTypes } from './raw-types.js';
import type { ReactedRows } from './reacted-rows.js';

const firstPauseMs = 20;
const longestPauseMs = 500;

/**
 * Commits batches over the connections of a pool. If a connection is lost during a commit, the same batch is sent again. The ids show what
 * is committed already, so nothing is committed twice, and callers learn the actual outcome.
 */
export function commitBatchOver(pool: Pool, reactedRows: ReactedRows, resolveTimeoutMs: number): CommitBatch {
  /** `sent`: the query in which the records may have been committed before. */
  async function commitBatch(records: readonly CommitRecord[], sent?: CommitQuery): Promise<readonly CommitOutcome[]> {
    let single = singleEventQuery(records);
    let query: CommitQuery | undefined;
    let isCareful = sent !== undefined || records.some(mayBeReacted);
    let lostSince: number | null = null;
    let races = 0;
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      try {
        if (single !== null && (await run(pool, single)).rowCount === 1) return [null];
        single = null;
        query ??= serialized(records, isCareful);
        const { rows } = await run(pool, query);
        const outcomes = outcomesOf(records, rows);
        rememberReacted(reactedRows, { outcomes, refusals: rows, query, sent });
        return rows.length === 0 ? outcomes : await afterRaces(records, outcomes);
      } catch (error) {
        // From now on, the event may be committed already.
        single = null;
        if (error instanceof NotSent) {
          if (lostSince === null)
            throw error.cause instanceof ServiceError ? error.cause : new StorageUnavailableError('none', error.cause);
        } else if (error instanceof NotSerialized) {
          return await oneByOne(records, error.cause, sent);
        } else if (isConnectionLost(error)) {
          lostSince ??= performance.now();
        } else if (mayRaceAgain(error, ++races, records.length === 1)) {
          if (isReacted(error)) [sent, query, isCareful] = [query, undefined, true];
          else await pauseAfterRace(races);
          continue;
        } else if (isRefusingWork(error)) {
          throw new StorageUnavailableError(lostSince === null ? 'none' : 'unknown', error, refusalReason(error));
        } else if (isDamage(error)) {
          throw new StorageDamagedError(error);
        } else {
          return await oneByOne(records, error, lostSince === null ? sent : query);
        }
        if (lostSince !== null && performance.now() - lostSince > resolveTimeoutMs) {
          throw new StorageUnavailableError('unknown', error instanceof NotSent ? error.cause : error);
        }
      }
      await sleep(pause * (0.5 + Math.random()));
    }
  }

  /** Retries one by one, so that a record that cannot be committed fails alone. */
  async function oneByOne(
    records: readonly CommitRecord[],
    why: unknown,
    sent: CommitQuery | undefined,
  ): Promise<readonly CommitOutcome[]> {
    if (records.length === 1) throw why;
    const outcomes: CommitOutcome[] = [];
    for (const record of records) outcomes.push(await outcomeOf(record, sent));
    return outcomes;
  }

  /** Commits raced records again: a new statement sees what has replaced the commands that they cancel. */
  async function afterRaces(
    records: readonly CommitRecord[],
    outcomes: readonly CommitOutcome[],
  ): Promise<readonly CommitOutcome[]> {
    const last = [...outcomes];
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome instanceof RacedRecordError) last[i] = await outcomeOf(records[i]!);
    }
    return last;
  }

  async function outcomeOf(record: CommitRecord, sent?: CommitQuery): Promise<CommitOutcome> {
    const [outcome = null] = await commitBatch([record], sent).catch((error: unknown) => [error as Error]);
    return outcome;
  }

  function mayBeReacted({ reacted }: CommitRecord): boolean {
    return reacted !== undefined && !reactedRows.isNew(reacted);
  }

  return (records) => commitBatch(records);
}

/** There was no connection to send the statement over. */
class NotSent extends Error {}

/** A value of the batch cannot be serialized. */
class NotSerialized extends Error {}

function serialized(records: readonly CommitRecord[], isCareful: boolean): CommitQuery {
  try {
    return commitQuery(records, isCareful);
  } catch (error) {
    throw new NotSerialized('Cannot serialize the batch.', { cause: error });
  }
}

/** With callbacks: for a single event, promises would take most of the time in this process. */
function run(pool: Pool, query: CommitQuery): Promise<QueryResult<Refusal>> {
  return new Promise((resolve, reject) => {
    pool.connect((failure, client, release) => {
      if (client === undefined) return reject(new NotSent('There is no connection to PostgreSQL.', { cause: failure }));
      client.query<Refusal>({ ...query, types: rawTypes }, (error: Error | null, result) => {
        release(error !== null && isToDiscard(error));
        if (error === null) resolve(result);
        else reject(error);
      });
    });
  });
}

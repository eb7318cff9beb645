import { newId, ServiceError, type Uuid } from '@svc/core';
import { StorageDamagedError, StorageUnavailableError, type CommitOutcome, type CommitRecord } from '@svc/core/storage';
import { commitRecord as record, pendingRecord } from '@svc/core/testing';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { commitBatchOver } from './commit-batch.js';
import type { Refusal } from './commit-statement.js';
import { ReactedRows } from './reacted-rows.js';

afterEach(() => void vi.useRealTimers());

/** What the server answers to one statement; a `NoConnection`: there is no connection to send it over. */
type Answer = readonly Refusal[] | { readonly rowCount: number } | Error | NoConnection;

class NoConnection {
  constructor(readonly why: Error) {}
}

interface Sent {
  readonly name: string;
  readonly values: readonly unknown[];
}

/** The part of a pool that commits use, with the answers to its statements, in order. Then every statement succeeds. */
class ScriptedPool {
  readonly sent: Sent[] = [];
  /** Whether the connection of each statement was discarded. */
  readonly discarded: unknown[] = [];
  beforeAnswer: () => void = () => {};
  readonly #answers: Answer[];

  constructor(answers: readonly Answer[]) {
    this.#answers = [...answers];
  }

  get names(): string[] {
    return this.sent.map(({ name }) => name);
  }

  connect(
    use: (
      failure: Error | undefined,
      client: { query: ScriptedPool['query'] } | undefined,
      release: (discard: unknown) => void,
    ) => void,
  ): void {
    const [answer] = this.#answers;
    const release = (discard: unknown): void => void this.discarded.push(discard);
    if (!(answer instanceof NoConnection)) return use(undefined, { query: this.query }, release);
    this.#answers.shift();
    this.beforeAnswer();
    use(answer.why, undefined, release);
  }

  readonly query = (
    { name, values }: Sent,
    done: (error: Error | null, result: { rows: readonly Refusal[]; rowCount: number } | undefined) => void,
  ): void => {
    this.sent.push({ name, values });
    const answer = this.#answers.shift() ?? { rowCount: 1 };
    this.beforeAnswer();
    if (answer instanceof Error) return done(answer, undefined);
    done(null, { rows: [], rowCount: 0, ...('rowCount' in answer ? answer : { rows: answer as readonly Refusal[] }) });
  };
}

interface Committed {
  readonly outcomes: readonly CommitOutcome[];
  readonly pool: ScriptedPool;
}

const resolveTimeoutMs = 10_000;

function committing(
  pool: ScriptedPool,
  records: readonly CommitRecord[],
  rows = new ReactedRows(),
): Promise<readonly CommitOutcome[]> {
  return commitBatchOver(pool as unknown as pg.Pool, rows, resolveTimeoutMs)(records);
}

async function commit(records: readonly CommitRecord[], answers: readonly Answer[]): Promise<Committed> {
  const pool = new ScriptedPool(answers);
  return { outcomes: await committing(pool, records), pool };
}

function databaseError(code: string, constraint?: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(`error ${code}`, 0, 'error'), { code, constraint });
}

const lost = (): Error => new Error('Connection terminated unexpectedly');
const race = (): Error => databaseError('23505', 'svc_outbox_pkey');
const streamRace = (): Error => databaseError('23505', 'svc_events_position');
const reacted = (): Error => databaseError('23505', 'svc_reacted_rows_pkey');
const times = (count: number, error: () => Error): Error[] => Array.from({ length: count }, error);

const single = (): CommitRecord => record({ events: [pendingRecord(newId())] });
const received = (): CommitRecord => record({ received: [newId()] });
const position = (number: number, id: Uuid): Refusal => ({
  record: String(number),
  reason: 'position',
  id,
  detail: '4',
});

describe('a record of one event', () => {
  it('is committed by one short statement', async () => {
    const { outcomes, pool } = await commit([single()], [{ rowCount: 1 }]);
    expect(outcomes).toEqual([null]);
    expect([pool.names, pool.discarded]).toEqual([['svc-commit-event'], [false]]);
  });

  it('that is not stored is rejected for the reason that the general statement finds', async () => {
    const event = pendingRecord(newId(), { expectedPosition: 0 });
    const { outcomes, pool } = await commit(
      [record({ events: [event] })],
      [{ rowCount: 0 }, [position(0, event.streamId)]],
    );
    expect(outcomes).toEqual([expect.objectContaining({ code: 'SVC_CONCURRENCY_CONFLICT', actualPosition: 4 })]);
    expect(pool.names).toEqual(['svc-commit-event', 'svc-commit-events']);
  });

  it('is not sent as a short statement again once it may be stored', async () => {
    const { outcomes, pool } = await commit([single()], [lost(), []]);
    expect(outcomes).toEqual([null]);
    expect([pool.names, pool.discarded]).toEqual([
      ['svc-commit-event', 'svc-commit-events'],
      [true, false],
    ]);
  });
});

describe('a batch', () => {
  it('is committed by one statement, whose refusals are the outcomes of their records', async () => {
    const [good, bad] = [single(), record({ events: [pendingRecord(newId(), { expectedPosition: 0 })] })];
    const { outcomes, pool } = await commit([good, bad], [[position(1, bad.events[0]!.streamId)]]);
    expect(outcomes).toEqual([null, expect.objectContaining({ code: 'SVC_CONCURRENCY_CONFLICT' })]);
    expect(pool.names).toEqual(['svc-commit-events']);
  });

  it('is sent again unchanged after a lost connection, until the server answers', async () => {
    const { outcomes, pool } = await commit([single(), single()], [...times(2, lost), databaseError('57P01'), []]);
    expect(outcomes).toEqual([null, null]);
    expect(pool.sent).toHaveLength(4);
    expect(new Set(pool.sent.map(({ values }) => values)).size, 'the same rows').toBe(1);
    expect(pool.discarded).toEqual([true, true, true, false]);
  });

  it('is sent again once there is a connection, after one was lost', async () => {
    const { outcomes, pool } = await commit([received()], [lost(), new NoConnection(new Error('refused')), []]);
    expect(outcomes).toEqual([null]);
    expect(pool.sent).toHaveLength(2);
  });

  it('is sent again at once after a race with another host', async () => {
    const { outcomes, pool } = await commit([single(), single()], [race(), []]);
    expect(outcomes).toEqual([null, null]);
    expect(pool.discarded, 'the connection is in order').toEqual([false, false]);
  });
});

describe('an unavailable database', () => {
  const failure = async (records: readonly CommitRecord[], answers: readonly Answer[]): Promise<unknown> =>
    await commit(records, answers).catch((error: unknown) => error);

  it('has committed nothing if there was never a connection', async () => {
    const cause = new Error('connect ECONNREFUSED');
    const error = await failure([single()], [new NoConnection(cause)]);
    expect(error).toBeInstanceOf(StorageUnavailableError);
    expect(error).toMatchObject({ outcome: 'none', reason: 'unreachable', cause });
  });

  it('is reported by the error of svc that prevents connections', async () => {
    const cause = new ServiceError('SVC_STORAGE_CLOSED', 'closed');
    expect(await failure([single()], [new NoConnection(cause)])).toBe(cause);
  });

  it.each([
    ['53100', 'full'],
    ['25006', 'read-only'],
    ['53300', 'unreachable'],
  ])('has committed nothing if it refuses the statement: %s', async (code, reason) => {
    const cause = databaseError(code);
    expect(await failure([single(), single()], [cause])).toMatchObject({
      code: 'SVC_STORAGE_UNAVAILABLE',
      outcome: 'none',
      reason,
      cause,
    });
  });

  it('may have committed the records if it refuses them after a lost connection', async () => {
    const cause = databaseError('53100');
    expect(await failure([received()], [lost(), cause])).toMatchObject({ outcome: 'unknown', reason: 'full', cause });
  });

  it('is reported as damaged, without another attempt', async () => {
    const cause = databaseError('XX001');
    const pool = new ScriptedPool([cause]);
    const error = await committing(pool, [single(), single()]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StorageDamagedError);
    expect(error).toMatchObject({ cause });
    expect(pool.sent).toHaveLength(1);
  });

  it.each<[string, Answer, object]>([
    ['does not answer', lost(), { message: 'Connection terminated unexpectedly' }],
    ['accepts no connection', new NoConnection(new Error('refused')), { message: 'refused' }],
  ])('may have committed the records if it %s for longer than the limit', async (_name, answer, cause) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const pool = new ScriptedPool([lost(), answer, answer, answer]);
    const passing = [0, resolveTimeoutMs, 1];
    pool.beforeAnswer = () => void vi.advanceTimersByTime(passing.shift()!);
    const error = await committing(pool, [received()]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'SVC_STORAGE_UNAVAILABLE', outcome: 'unknown', cause });
    expect(passing, 'exactly the limit is not longer').toEqual([]);
  });
});

describe('a race', () => {
  it('that is lost six times ends the attempts of a record', async () => {
    const pool = new ScriptedPool(times(10, race));
    await expect(committing(pool, [received()])).rejects.toMatchObject({ code: '23505' });
    expect(pool.sent).toHaveLength(6);
  });

  it('for a stream is repeated much longer for a record that is alone', async () => {
    const { outcomes, pool } = await commit([single()], [...times(8, streamRace), []]);
    expect(outcomes).toEqual([null]);
    expect(pool.sent).toHaveLength(9);
  });

  it('for a stream that a batch has lost six times divides the batch', async () => {
    const { outcomes, pool } = await commit([single(), single()], times(6, streamRace));
    expect(outcomes).toEqual([null, null]);
    expect(pool.names.slice(6)).toEqual(['svc-commit-event', 'svc-commit-event']);
  });

  it('for a scheduled command repeats the record that cancels it, and no other one', async () => {
    const raced: Refusal = { record: '1', reason: 'raced', id: newId(), detail: '' };
    const cancelling = record({ schedules: { settled: null, cancelled: [{ tenant: '', key: 'k' }], added: [] } });
    const again = { ...raced, record: '0' };
    const { outcomes, pool } = await commit([single(), cancelling], [[raced], [again], []]);
    expect(outcomes).toEqual([null, null]);
    expect(pool.sent.slice(1).map(({ values }) => values[0])).toEqual(['[]', '[]']);
  });

  it('for a scheduled command leaves the outcomes of other records as they are if the database then fails', async () => {
    const raced: Refusal = { record: '0', reason: 'raced', id: newId(), detail: '' };
    const { outcomes } = await commit([received(), single()], [[raced], databaseError('53100')]);
    expect(outcomes).toEqual([expect.objectContaining({ outcome: 'none', reason: 'full' }), null]);
  });
});

describe('a record that cannot be committed', () => {
  it('fails alone', async () => {
    const error = databaseError('22P05');
    const { outcomes, pool } = await commit(
      [single(), single(), single()],
      [error, { rowCount: 1 }, error, { rowCount: 1 }],
    );
    expect(outcomes).toEqual([null, error, null]);
    expect(pool.names).toEqual(['svc-commit-events', ...Array.from({ length: 3 }, () => 'svc-commit-event')]);
  });

  it('is rejected with the error of the server if there are no others', async () => {
    const error = databaseError('22P05');
    await expect(commit([received()], [error])).rejects.toBe(error);
  });

  it('fails alone if it cannot be written as JSON', async () => {
    const unwritable = record({
      events: [pendingRecord(newId(), { metadata: { count: 1n } }), pendingRecord(newId())],
    });
    const { outcomes, pool } = await commit([unwritable, single()], []);
    expect(outcomes).toEqual([expect.any(TypeError), null]);
    expect(pool.names).toEqual(['svc-commit-event']);
    await expect(commit([unwritable], [])).rejects.toThrow(TypeError);
  });
});

describe('an event that a reaction has processed', () => {
  const process = (eventId: Uuid): CommitRecord =>
    record({ reacted: { reaction: 'mail', segment: 3, term: 1, eventId } });

  /** The rows of a host whose term has begun. */
  function begun(left: readonly Uuid[] = []): ReactedRows {
    const rows = new ReactedRows();
    rows.begin('mail', [{ segment: 3, sequence: -1, term: 1 }], [{ id: newId(), segment: 3, events: left }]);
    return rows;
  }

  it('is committed without a search for the events of its term, and is then known', async () => {
    const [rows, eventId] = [begun(), newId()];
    const pool = new ScriptedPool([[]]);
    expect(await committing(pool, [process(eventId)], rows)).toEqual([null]);
    expect(pool.names).toEqual(['svc-commit-events-reacted']);
    expect(rows.isNew({ reaction: 'mail', segment: 3, term: 1, eventId })).toBe(false);
  });

  it('is searched for if this host may have processed one of the batch', async () => {
    const known = newId();
    const pool = new ScriptedPool([[]]);
    await committing(pool, [process(newId()), process(known), single()], begun([known]));
    expect(pool.names).toEqual(['svc-commit-events-reacted-careful']);
  });

  it('is searched for once the database reports that its rows are stored', async () => {
    const [rows, eventId] = [begun(), newId()];
    const refusal: Refusal = { record: '0', reason: 'settled', id: eventId, detail: '' };
    const pool = new ScriptedPool([lost(), reacted(), [refusal]]);
    expect(await committing(pool, [process(eventId)], rows)).toMatchObject([{ code: 'SVC_MESSAGE_SETTLED' }]);
    expect(pool.names).toEqual([
      'svc-commit-events-reacted',
      'svc-commit-events-reacted',
      'svc-commit-events-reacted-careful',
    ]);
    const [{ id }] = JSON.parse(pool.sent[0]!.values[2] as string) as [{ id: Uuid }];
    expect(rows.passed('mail', 3, 1, [eventId]), 'the row of the first query has it').toEqual([id]);
  });

  it('is searched for where a batch is divided after a lost connection', async () => {
    const ids = [newId(), newId()] as const;
    const pool = new ScriptedPool([lost(), databaseError('22P05'), [], []]);
    expect(await committing(pool, ids.map(process), begun())).toEqual([null, null]);
    expect(pool.names.slice(2)).toEqual(['svc-commit-events-reacted-careful', 'svc-commit-events-reacted-careful']);
  });

  it('is not searched for where a batch is divided that was not stored', async () => {
    const ids = [newId(), newId()] as const;
    const pool = new ScriptedPool([databaseError('22P05'), [], []]);
    expect(await committing(pool, ids.map(process), begun())).toEqual([null, null]);
    expect(pool.names).toEqual(Array.from({ length: 3 }, () => 'svc-commit-events-reacted'));
  });
});

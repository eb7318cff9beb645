import { AsyncResource } from 'node:async_hooks';
import { detached } from '../../background/index.js';
import type { CommitRecord } from '../commit-record.js';
import { scheduleKeyText } from '../scheduled-record.js';

/** The outcome of one record: null if it was committed, otherwise the error of its unit of work. */
export type CommitOutcome = Error | null;

/** Commits records in one transaction, each atomically, and returns the outcome of each. A rejection applies to all of them. */
export type CommitBatch = (records: readonly CommitRecord[]) => Promise<readonly CommitOutcome[]>;

export interface GroupCommitOptions {
  /** How many transactions may run concurrently. */
  readonly transactions: number;
  /** How many events and messages go into one transaction, unless a single record has more. */
  readonly largestBatch: number;
  /**
   * Whether concurrent records must not share a stream, a message or an idempotency key. For databases that check all records of a batch before
   * they write any: a second record would not see the first.
   */
  readonly disjoint: boolean;
  /**
   * Whether a record is committed at once if the previous one was alone in its batch: there seem to be no concurrent commits. For databases that
   * commit while this process continues, so that further records collect.
   */
  readonly eager: boolean;
}

interface Waiting {
  readonly record: CommitRecord;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** The asynchronous context of the unit of work. */
  readonly context: AsyncResource;
  /** Called when the commit starts: from then on its signal changes nothing. Absent: there is no signal. */
  readonly begin?: () => void;
}

/** A batch is not split for a second transaction if a part would be smaller than this. */
const smallestShare = 16;

/**
 * Groups the records of concurrent units of work: those that arrive while transactions run share the next one. Records of one stream are
 * committed in the order in which they arrived.
 */
export class GroupCommit {
  readonly #commitBatch: CommitBatch;
  readonly #options: GroupCommitOptions;
  readonly #busy = new Set<string>();
  #queue: Waiting[] = [];
  #underWay = 0;
  #scheduled = false;
  #wasAlone = false;
  #idle: (() => void)[] = [];

  constructor(commitBatch: CommitBatch, options: GroupCommitOptions) {
    this.#commitBatch = commitBatch;
    this.#options = options;
  }

  /** Commits a record with the next batch. A signal that aborts before the batch starts cancels the record. */
  commit(record: CommitRecord, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      const waiting = { record, resolve, reject, context: new AsyncResource('SvcCommit') };
      this.#queue.push(signal === undefined ? waiting : this.#whileWanted(waiting, signal));
      this.#schedule();
    });
  }

  #whileWanted(waiting: Waiting, signal: AbortSignal): Waiting {
    const giveUp = (): void => {
      this.#queue = this.#queue.filter((other) => other !== watched);
      waiting.reject(signal.reason);
      this.#tellIdle();
    };
    signal.addEventListener('abort', giveUp, { once: true });
    const watched = { ...waiting, begin: () => signal.removeEventListener('abort', giveUp) };
    return watched;
  }

  /** Resolves once no record waits and no transaction runs. */
  idle(): Promise<void> {
    if (this.#queue.length === 0 && this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Starts a batch at the end of this turn of the event loop, so that the records of the turn share it. */
  #schedule(): void {
    if (this.#scheduled || this.#underWay === this.#options.transactions) return;
    this.#scheduled = true;
    const begin = (): void => this.#begin();
    if (this.#options.eager && this.#wasAlone) process.nextTick(begin);
    else setImmediate(begin);
  }

  #begin(): void {
    this.#scheduled = false;
    while (this.#queue.length > 0 && this.#underWay < this.#options.transactions) {
      const batch = this.#takeBatch();
      if (batch.length === 0) break;
      this.#wasAlone = batch.length === 1;
      const run = (): Promise<void> => this.#run(batch);
      // A transaction of several units of work belongs to none of them.
      void (this.#wasAlone ? batch[0]!.context.runInAsyncScope(run) : detached(run));
    }
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    this.#underWay++;
    for (const { begin } of batch) begin?.();
    try {
      const outcomes = await this.#commitBatch(batch.map(({ record }) => record));
      for (const [i, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[i] ?? null;
        if (outcome === null) resolve();
        else reject(outcome);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#underWay--;
    if (this.#options.disjoint) {
      for (const { record } of batch) for (const id of touchedBy(record)) this.#busy.delete(id);
    }
    if (this.#queue.length > 0) this.#schedule();
    this.#tellIdle();
  }

  #tellIdle(): void {
    if (this.#queue.length === 0 && this.#underWay === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** The oldest records that may be committed now, divided evenly among the free transactions. */
  #takeBatch(): Waiting[] {
    const { transactions, largestBatch } = this.#options;
    const share = Math.max(smallestShare, Math.ceil(this.#queue.length / (transactions - this.#underWay)));
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    const heldBack = new Set<string>();
    let size = 0;
    for (const [i, waiting] of this.#queue.entries()) {
      if (batch.length === share || size >= largestBatch) {
        for (let rest = i; rest < this.#queue.length; rest++) left.push(this.#queue[rest]!);
        break;
      }
      const added = sizeOf(waiting.record);
      // A large record, such as a delivery of the outbox, has its own batch, so that callers do not wait for it.
      const fits = batch.length === 0 || size + added <= largestBatch;
      if (this.#mayGo(waiting.record, fits, heldBack)) {
        batch.push(waiting);
        size += added;
      } else {
        left.push(waiting);
      }
    }
    this.#queue = left;
    return batch;
  }

  /** Whether a record may be committed now. If not, it holds back later records of the same streams, messages or keys, to preserve their order. */
  #mayGo(record: CommitRecord, fits: boolean, heldBack: Set<string>): boolean {
    if (!this.#options.disjoint && heldBack.size === 0 && fits) return true;
    const touched = touchedBy(record);
    if (!fits || touched.some((id) => this.#busy.has(id) || heldBack.has(id))) {
      for (const id of touched) heldBack.add(id);
      return false;
    }
    if (this.#options.disjoint) for (const id of touched) this.#busy.add(id);
    return true;
  }
}

function touchedBy({ events, delivered, received, idempotency, resolved, schedules, reacted }: CommitRecord): string[] {
  const touched: string[] = events.map(({ streamId }) => streamId);
  if (delivered !== null) touched.push(...delivered.ids);
  if (received.length > 0) touched.push(...received);
  if (idempotency !== undefined) touched.push(idempotency.id);
  if (resolved !== undefined) touched.push(resolved);
  if (schedules !== undefined) {
    if (schedules.settled !== null) touched.push(schedules.settled);
    touched.push(...schedules.cancelled.map(scheduleKeyText));
  }
  if (reacted !== undefined) touched.push(`${reacted.reaction} ${reacted.eventId}`);
  return touched;
}

function sizeOf({ events, outgoing, delivered, received, schedules, reacted }: CommitRecord): number {
  const others =
    (delivered?.ids.length ?? 0) + received.length + (schedules?.added.length ?? 0) + (reacted === undefined ? 0 : 1);
  return events.length + outgoing.length + others;
}

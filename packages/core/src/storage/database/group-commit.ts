import type { CommitRecord } from '../commit-record.js';

/** What became of one record: null when it is kept, otherwise the error of its unit of work. */
export type CommitOutcome = Error | null;

/** Keeps records in one transaction, each by itself whole or not at all, and says for each what became of it. Rejects for all of them. */
export type CommitBatch = (records: readonly CommitRecord[]) => Promise<readonly CommitOutcome[]>;

export interface GroupCommitOptions {
  /** How many transactions may be under way at once. */
  readonly transactions: number;
  /** How many events and messages go into one transaction, unless a single record has more. */
  readonly largestBatch: number;
  /**
   * Whether at most one record is under way that appends to a stream, delivers or receives a message, or takes a key. For databases that look at
   * all records before they keep any of them: a second one would not see the first.
   */
  readonly disjoint: boolean;
  /**
   * Whether a record goes at once when the one before it went alone: nobody else seems to be about to commit. For databases that keep it while
   * this process goes on; what is committed meanwhile gathers.
   */
  readonly eager: boolean;
}

interface Waiting {
  readonly record: CommitRecord;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** From now on its signal changes nothing. Absent: it has none. */
  readonly begin?: () => void;
}

/** Below this a batch is not split for the sake of a second transaction. */
const smallestShare = 16;

/**
 * Gathers the records of concurrent units of work: what arrives while transactions are under way goes together in the next one.
 * Records of one stream are kept in the order in which they came.
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

  /** Commits a record with the next batch. A signal that aborts while the record waits for one gives it up. */
  commit(record: CommitRecord, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      const waiting = { record, resolve, reject };
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

  /** Resolves once nothing waits and nothing is under way. */
  idle(): Promise<void> {
    if (this.#queue.length === 0 && this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Once this turn of the event loop is over: what was committed in it goes together. */
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
      void this.#run(batch);
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

  /** The oldest records that may go now, shared out evenly among the transactions that are free. */
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
      // A large record, as deliveries of the outbox are, goes alone: those of callers are not to wait for it.
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

  /** Whether a record goes now. One that does not holds back those behind it that touch the same: their order is kept. */
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

function touchedBy({ events, delivered, received, idempotency, resolved }: CommitRecord): string[] {
  const touched: string[] = events.map(({ streamId }) => streamId);
  if (delivered !== null) touched.push(...delivered.ids);
  if (received.length > 0) touched.push(...received);
  if (idempotency !== undefined) touched.push(idempotency.id);
  if (resolved !== undefined) touched.push(resolved);
  return touched;
}

function sizeOf({ events, outgoing, delivered, received }: CommitRecord): number {
  return events.length + outgoing.length + (delivered?.ids.length ?? 0) + received.length;
}

import {
  asTables,
  comparePlaces,
  PerspectiveMovedError,
  type LogPlace,
  type Progress,
  type ReplayPage,
  type TablesRef,
} from '../../storage/index.js';
import { nextTurn } from '../../background/index.js';
import { CarefulStretch } from '../apply/careful-stretch.js';
import type { CountedFailure } from '../apply/failures.js';
import { ModelBuffer, ModelsLostError, type BufferLimits } from '../apply/model-buffer.js';
import { ModelEvents, type PerspectiveParts, type Stops } from '../apply/model-events.js';
import { pageUpTo } from '../apply/page-part.js';
import { reportFailures, type FailureParts } from '../apply/perspective-failed-error.js';
import type { NamedPerspective } from '../perspective.js';
import { BatchProcessor } from '../apply/process-batch.js';
import { systemClock } from './pace.js';

/** How many events are applied before other work gets its turn. */
export const batchSize = 500;
/** How many records are read at once for tables that only this rebuild fills. */
export const largePage = 2_000;

/** The most characters of models in memory. */
export const mostCharacters = 32_000_000;
/** How often changes are committed: the work that is lost when the host crashes. Less often where a commit takes long. */
export const commitEveryMs = 1_000;
export const timesAsLong = 10;
export const commitAtLeastEveryMs = 30_000;

const limits: BufferLimits = {
  mostCharacters,
  commitEvery: (commitMs) => Math.min(Math.max(commitEveryMs, timesAsLong * commitMs), commitAtLeastEveryMs),
};

export interface CatchUpOptions {
  /** The tables to fill. */
  readonly into: TablesRef;
  /** Whether the worker fills the same tables: each batch is then committed at once. */
  readonly isShared: boolean;
  readonly signal: AbortSignal | undefined;
  /** Where streams were stopped in the tables that these replace. Default: none. */
  readonly earlier?: Stops;
  /** The most events of a batch. Default: `batchSize`. */
  readonly mostAtOnce?: number;
  /** The last event to apply. Default: the last one that is stored. */
  readonly until?: LogPlace;
  /** Called with the progress at the start, and again after another host has committed to the tables. */
  readonly onStart?: (from: Progress) => Promise<void>;
  /** Called with each applied batch, committed or not. */
  readonly onBatch?: (batch: ReplayPage, applied: number) => Promise<void>;
}

export type CatchUpParts = PerspectiveParts & FailureParts;

/** How often the progress of segments that other hosts process is read. */
const segmentsPollMs = 500;

/**
 * Applies all events that are stored so far to tables, from their progress on, and returns their new progress. If hosts have divided the tables,
 * it waits a moment for them instead.
 */
export async function catchUp(
  named: NamedPerspective,
  options: CatchUpOptions,
  parts: CatchUpParts,
): Promise<Progress> {
  const work = new CatchUp(named, options, parts);
  for (;;) {
    const from = await parts.storage.readProgress(options.into);
    await options.onStart?.(from);
    if (from.segments !== undefined) {
      await systemClock.wait(segmentsPollMs, options.signal);
      return from;
    }
    try {
      return await work.run(from);
    } catch (error) {
      if (error instanceof ModelsLostError) work.resumeCarefully();
      // Another host has committed to the same tables: continue from its progress.
      else if (!(error instanceof PerspectiveMovedError)) throw error;
      await work.settle();
    }
  }
}

class CatchUp {
  readonly #named: NamedPerspective;
  readonly #options: CatchUpOptions;
  readonly #parts: CatchUpParts;
  readonly #buffer: ModelBuffer;
  readonly #finder: ModelEvents;
  readonly #processor: BatchProcessor;
  readonly #careful: CarefulStretch;
  #failures: CountedFailure[] = [];
  #last: LogPlace | undefined;

  constructor(named: NamedPerspective, options: CatchUpOptions, parts: CatchUpParts) {
    const { log, storage } = parts;
    this.#named = named;
    this.#options = options;
    this.#parts = parts;
    this.#buffer = new ModelBuffer(named, storage, limits);
    const { into } = options;
    this.#finder = new ModelEvents(
      named,
      log,
      (id, after, next) => storage.readSources(into, id, after, next),
      asTables(into).segment,
    );
    this.#processor = new BatchProcessor(named, { buffer: this.#buffer, finder: this.#finder, storage });
    this.#careful = new CarefulStretch();
  }

  settle(): Promise<void> {
    return this.#buffer.settle();
  }

  /** The batches from the last commit up to the last one that was tried are applied to stored models. */
  resumeCarefully(): void {
    this.#careful.begin(this.#last!);
  }

  async run(from: Progress): Promise<Progress> {
    const { into, isShared, signal, until, mostAtOnce = batchSize } = this.#options;
    const { log } = this.#parts;
    if (until !== undefined && comparePlaces(await log.placeAt(from.sequence), until) >= 0) return from;
    this.#buffer.startAt(into, from);
    this.#failures = [];
    const size = Math.min(batchSize, mostAtOnce);
    const pageSize = isShared ? size : Math.max(size, largePage);
    for await (const page of log.readReplayPages(from.sequence, pageSize, this.#finder.types)) {
      const isLast = until !== undefined && comparePlaces(page.upTo, until) >= 0;
      for (const batch of batchesOf(isLast ? pageUpTo(page, until) : page, size)) {
        await nextTurn();
        // Commit, so that a resumed rebuild need not apply these events again.
        if (signal?.aborted === true) await this.#flush();
        signal?.throwIfAborted();
        await this.#process(batch);
      }
      if (isLast) break;
    }
    await this.#flush();
    return this.#buffer.progress;
  }

  async #process(batch: ReplayPage): Promise<void> {
    const { isShared, earlier, onBatch } = this.#options;
    this.#last = batch.upTo;
    const plan = await this.#processor.plan(batch, this.#careful.isActive);
    const advanced = this.#processor.process(plan, earlier);
    this.#failures.push(...advanced.failures);
    if (isShared || this.#careful.isActive || this.#failures.length > 0) await this.#flush();
    else await this.#buffer.commitIfDue();
    this.#careful.passed(batch.upTo);
    await onBatch?.(batch, advanced.applied);
  }

  async #flush(): Promise<void> {
    await this.#buffer.flush();
    await reportFailures(this.#named.name, this.#failures.splice(0), this.#parts);
  }
}

/** Splits a page into batches, at least one. The last batch reaches the end of the page. */
function* batchesOf({ records, upTo }: ReplayPage, size: number): Iterable<ReplayPage> {
  let start = 0;
  for (; start + size < records.length; start += size) {
    const batch = records.slice(start, start + size);
    yield { records: batch, upTo: batch.at(-1)! };
  }
  yield { records: records.slice(start), upTo };
}

import {
  PerspectiveMovedError,
  type LogPlace,
  type Progress,
  type ReplayPage,
  type TablesRef,
} from '../../storage/index.js';
import { nextTurn } from '../../background/index.js';
import type { SystemEventEmitter } from '../../system-events/index.js';
import { CarefulStretch } from '../apply/careful-stretch.js';
import { perspectiveFailed, type CountedFailure } from '../apply/failures.js';
import { ModelBuffer, ModelsLostError, type BufferLimits } from '../apply/model-buffer.js';
import { ModelEvents, type PerspectiveParts, type Stops } from '../apply/model-events.js';
import type { NamedPerspective } from '../perspective.js';
import { BatchProcessor } from '../apply/process-batch.js';

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
  /** Called with the progress at the start, and again after another host has committed to the tables. */
  readonly onStart?: (from: Progress) => Promise<void>;
  /** Called with each applied batch, committed or not. */
  readonly onBatch?: (batch: ReplayPage, applied: number) => Promise<void>;
}

type CatchUpParts = PerspectiveParts & { readonly emitter: SystemEventEmitter };

/** Applies all events that are stored so far to tables, from their progress on, and returns their new progress. */
export async function catchUp(
  named: NamedPerspective,
  options: CatchUpOptions,
  parts: CatchUpParts,
): Promise<Progress> {
  const work = new CatchUp(named, options, parts);
  for (;;) {
    const from = await parts.storage.readProgress(options.into);
    await options.onStart?.(from);
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
    this.#finder = new ModelEvents(named, log, (id, after, next) => storage.readSources(options.into, id, after, next));
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
    const { into, isShared, signal, mostAtOnce = batchSize } = this.#options;
    this.#buffer.startAt(into, from);
    this.#failures = [];
    const size = Math.min(batchSize, mostAtOnce);
    const pageSize = isShared ? size : Math.max(size, largePage);
    for await (const page of this.#parts.log.readReplayPages(from.sequence, pageSize, this.#finder.types)) {
      for (const batch of batchesOf(page, size)) {
        await nextTurn();
        // Commit, so that a resumed rebuild need not apply these events again.
        if (signal?.aborted === true) await this.#flush();
        signal?.throwIfAborted();
        await this.#process(batch);
      }
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
    for (const failure of this.#failures.splice(0)) {
      await this.#parts.emitter.emit(perspectiveFailed(this.#named.name, failure));
    }
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

import { asTables, behindEverything, type LogPlace, type ModelTables } from '../../storage/index.js';
import { CarefulStretch } from './careful-stretch.js';
import { ModelBuffer, ModelsLostError, type BufferLimits } from './model-buffer.js';
import { ModelEvents, type PerspectiveParts } from './model-events.js';
import { BatchProcessor, type Advance, type Batch, type PlannedBatch } from './process-batch.js';
import type { NamedPerspective } from '../perspective.js';
import type { PerspectiveWork } from './perspective-work.js';

/** The most characters of models of a perspective that stay in memory. */
export const mostCharacters = 8_000_000;

/** A perspective, or a segment of one, that follows the log: its models in memory, and its progress. */
export class FollowedPerspective {
  readonly named: NamedPerspective;
  readonly work: PerspectiveWork;
  readonly finder: ModelEvents;
  readonly buffer: ModelBuffer;
  readonly #parts: PerspectiveParts;
  readonly #tables: ModelTables;
  readonly #processor: BatchProcessor;
  readonly #careful = new CarefulStretch();
  /** The sequence number up to which events are processed and committed. */
  committed = -1;
  /** Whether it takes part in the current round: not after an error, and not while its models belong to another version. */
  isActive = false;

  /** `reached` is called after each commit with its place. */
  constructor(
    named: NamedPerspective,
    work: PerspectiveWork,
    parts: PerspectiveParts,
    reached: (place: LogPlace) => void,
  ) {
    const { log, storage } = parts;
    const { segment } = work;
    this.named = named;
    this.work = work;
    this.#parts = parts;
    this.#tables = { ...asTables(named.name), ...(segment !== undefined && { segment }) };
    const limits: BufferLimits = { mostCharacters: mostCharacters / (segment?.of ?? 1), commitEvery: () => 0 };
    this.buffer = new ModelBuffer(named, storage, limits, (place) => {
      this.committed = place.sequence;
      reached(place);
    });
    this.finder = new ModelEvents(
      named,
      log,
      (id, after, next) => storage.readSources(this.buffer.tables, id, after, next),
      segment,
    );
    this.#processor = new BatchProcessor(named, { buffer: this.buffer, finder: this.finder, storage });
  }

  get name(): string {
    return this.named.name;
  }

  /** The sequence number up to which events are processed. */
  get sequence(): number {
    return this.buffer.progress.sequence;
  }

  /** Reads the progress: another host, or a rebuild, may have changed it. */
  async start(): Promise<void> {
    await this.buffer.settle();
    const progress = await this.#parts.storage.readProgress(this.#tables);
    this.committed = progress.sequence;
    // If it was divided since, the next check of the shares finds its segments.
    this.isActive = progress.sequence !== behindEverything && progress.segments === undefined;
    if (this.isActive) this.buffer.startAt(progress.tables ?? this.#tables, progress);
  }

  plan(batch: Batch): Promise<PlannedBatch> {
    return this.#processor.plan(batch, this.#careful.isActive);
  }

  /** Plans a batch from stored models, without changing anything. */
  planCarefully(batch: Batch): Promise<PlannedBatch> {
    return this.#processor.plan(batch, true);
  }

  process(plan: PlannedBatch): Advance {
    return this.#processor.process(plan);
  }

  /** Commits a processed batch, now or together with the next ones. */
  async commit({ upTo }: PlannedBatch, { failures }: Advance): Promise<void> {
    if (!this.#careful.isActive && failures.length === 0) return await this.buffer.commitIfDue();
    await this.buffer.flush();
    this.#careful.passed(upTo);
  }

  /** Ends its part of the round, because of an error at a batch. */
  leave(error: unknown, upTo: LogPlace | null): void {
    this.isActive = false;
    if (error instanceof ModelsLostError) this.#careful.begin(upTo ?? this.buffer.place);
  }
}

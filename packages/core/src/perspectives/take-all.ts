import { nextTurn, PerspectiveMovedError, type Progress, type StoredRecord } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import { advance } from './advance.js';
import { ahead } from './ahead.js';
import type { StreamFailure } from './apply-batch.js';
import { perspectiveFailed } from './failures.js';
import { ModelEvents, type PerspectiveParts } from './model-events.js';
import type { NamedPerspective } from './perspective.js';
import { batchSize } from './perspective-worker.js';
import { ReplayBuffer } from './replay-buffer.js';

/** How many records are read at once for tables that nobody else fills. */
const largePage = 2_000;

export interface TakingAll {
  /** What the tables are kept under. */
  readonly into: string;
  /** Whether the worker takes events into the same tables: each batch is kept at once then. */
  readonly isShared: boolean;
  readonly signal: AbortSignal | undefined;
  /** How many events are applied at once, at most. Default: as many as is usual. */
  readonly mostAtOnce?: number;
  /** Told where it begins, and again when somebody else has taken events as well. */
  readonly begins?: (from: Progress) => Promise<void>;
  /** Told of each batch once it is applied, kept or not. */
  readonly took?: (records: readonly StoredRecord[], applied: number) => Promise<void>;
}

/** Lets tables take everything that has happened by now, from where they are; says how far they are then. */
export async function takeAll(
  named: NamedPerspective,
  taking: TakingAll,
  parts: PerspectiveParts & { readonly emitter: SystemEventEmitter },
): Promise<Progress> {
  for (;;) {
    const from = await parts.storage.readProgress(taking.into);
    await taking.begins?.(from);
    try {
      return await takeFrom(from, named, taking, parts);
    } catch (error) {
      // Somebody else has kept something in the same tables: it goes on from there.
      if (!(error instanceof PerspectiveMovedError)) throw error;
      await nextTurn();
    }
  }
}

async function takeFrom(
  from: Progress,
  named: NamedPerspective,
  { into, isShared, signal, mostAtOnce = batchSize, took }: TakingAll,
  { log, storage, emitter }: PerspectiveParts & { readonly emitter: SystemEventEmitter },
): Promise<Progress> {
  const filled = { ...named, name: into };
  const buffer = new ReplayBuffer(into, from, storage);
  const finder = new ModelEvents(filled, { log, storage: buffer });
  const failures: StreamFailure[] = [];
  const keep = async (isUrgent: boolean): Promise<void> => {
    await (isUrgent ? buffer.keepAll() : buffer.keepSome());
    if (!isUrgent) return;
    for (const failure of failures.splice(0)) await emitter.emit(perspectiveFailed(named.name, failure));
  };
  const size = Math.min(batchSize, mostAtOnce);
  for await (const page of ahead(log.readPages(from.sequence, isShared ? size : Math.max(size, largePage)))) {
    for (let start = 0; start < page.length; start += size) {
      await nextTurn();
      // Whoever goes on from here later need not take it again.
      if (signal?.aborted === true) await keep(true);
      signal?.throwIfAborted();
      const records = page.slice(start, start + size);
      const advanced = await advance(filled, buffer.progress, records, finder, buffer);
      failures.push(...advanced.failures);
      await keep(isShared || failures.length > 0);
      await took?.(records, advanced.applied);
    }
  }
  await keep(true);
  return buffer.progress;
}

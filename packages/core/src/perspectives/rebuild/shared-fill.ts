/** Hosts that fill the new tables of a rebuild together: each of them fills segments that no other host fills. */
import {
  behindEverything,
  PerspectiveDefinedOtherwiseError,
  segmentsOf,
  type HeldLease,
  type LogPlace,
  type ModelTables,
  type StorageLeases,
} from '../../storage/index.js';
import { catchUp, type CatchUpOptions, type CatchUpParts } from './catch-up.js';
import { stopsOf } from '../apply/model-events.js';
import type { NamedPerspective } from '../perspective.js';

/** Tables that hosts fill together, up to a place in the log. */
export interface SharedTables {
  readonly tables: ModelTables;
  readonly segments: number;
  /** The sequence number of the last event to apply. */
  readonly head: number;
}

/** The lanes of segments that are being filled. Their names say what other hosts need to know to take part. */
export class FillLanes {
  readonly #prefix: string;
  readonly #leases: StorageLeases;

  /** `group`: the start of all lanes of the hosts that share perspectives. */
  constructor(group: string, leases: StorageLeases) {
    this.#prefix = `${group}fill/`;
    this.#leases = leases;
  }

  hold(shared: SharedTables, index: number): Promise<boolean> {
    return this.#leases.hold(this.#laneOf(shared, index));
  }

  release(shared: SharedTables, index: number): Promise<void> {
    return this.#leases.release(this.#laneOf(shared, index));
  }

  /** The tables that other hosts fill. */
  filledByOthers(held: readonly HeldLease[]): readonly SharedTables[] {
    const found = new Map<string, SharedTables>();
    for (const { lane, isOwn } of held) {
      if (isOwn || !lane.startsWith(this.#prefix)) continue;
      const [, shared = ''] = lane.slice(this.#prefix.length).split(/^\d+ /u);
      if (shared !== '') found.set(shared, JSON.parse(shared) as SharedTables);
    }
    return [...found.values()];
  }

  #laneOf({ tables, segments, head }: SharedTables, index: number): string {
    return `${this.#prefix}${index} ${JSON.stringify({ tables, segments, head })}`;
  }
}

/** Fills the segments that no other host fills, one after another. */
export async function fillFreeSegments(
  named: NamedPerspective,
  shared: SharedTables,
  lanes: FillLanes,
  { signal, onBatch }: Pick<CatchUpOptions, 'signal' | 'onBatch'>,
  parts: CatchUpParts,
): Promise<void> {
  const until: LogPlace = await parts.log.placeAt(shared.head);
  const earlier = stopsOf(await parts.storage.readStopped(named.name));
  for (const segment of segmentsOf(shared.segments)) {
    const into = { ...shared.tables, segment };
    const holds = (): Promise<boolean> => lanes.hold(shared, segment.index);
    try {
      const { sequence } = await parts.storage.readProgress(into);
      if (sequence === shared.head || sequence === behindEverything || !(await holds())) continue;
      const fill: CatchUpOptions = {
        into,
        isShared: false,
        signal,
        earlier,
        until,
        onBatch: async (batch, applied) => {
          if (!(await holds())) throw new SegmentTakenOverError();
          await onBatch?.(batch, applied);
        },
      };
      try {
        await catchUp(named, fill, parts);
      } finally {
        await lanes.release(shared, segment.index);
      }
    } catch (error) {
      // The tables of a rebuild that was cancelled do not exist any more.
      if (error instanceof PerspectiveDefinedOtherwiseError) return;
      if (!(error instanceof SegmentTakenOverError)) throw error;
    }
  }
}

/** The lease of a segment has expired, and another host fills it. */
class SegmentTakenOverError extends Error {
  override readonly name = 'SegmentTakenOverError';
}

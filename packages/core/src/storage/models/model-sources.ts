import type { Uuid } from '../../json/index.js';

/** How many positions of a stream one source covers. */
export const positionsPerBlock = 32;

/** The events that a model has in one block of positions of a stream. */
export interface ModelSource {
  /** The id of the model. */
  readonly id: string;
  readonly streamId: Uuid;
  /** The number of the block, from 0. */
  readonly block: number;
  /** A bit for each event, the lowest for the first position of the block. */
  readonly events: number;
  /** The highest id among them. */
  readonly lastEventId: Uuid;
}

/** The key of a source among those of its model. */
export type SourceKey = Pick<ModelSource, 'streamId' | 'block'>;

/** A page of the sources of a model. */
export interface SourcePage {
  readonly sources: readonly ModelSource[];
  /** The source after which the next page starts; null: there are no more. */
  readonly next: SourceKey | null;
}

/** How many sources are read for one page. */
export const sourcesPerPage = 1_000;

/** The positions at which a source has events. */
export function positionsOf({ block, events }: ModelSource): number[] {
  const positions: number[] = [];
  for (let bit = 0; bit < positionsPerBlock; bit++) {
    if ((events >>> bit) & 1) positions.push(block * positionsPerBlock + bit);
  }
  return positions;
}

interface Block {
  events: number;
  lastEventId: Uuid;
}

/** Collects the sources of many models, and merges those of the same block. */
export class ModelSources {
  readonly #models = new Map<string, Map<Uuid, Map<number, Block>>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  addEvent(id: string, streamId: Uuid, position: number, eventId: Uuid): void {
    const block = Math.floor(position / positionsPerBlock);
    this.#add(id, streamId, block, (1 << (position % positionsPerBlock)) >>> 0, eventId);
  }

  add({ id, streamId, block, events, lastEventId }: ModelSource): void {
    this.#add(id, streamId, block, events, lastEventId);
  }

  /** The sources of a model with an event after the given one; null: all sources. */
  of(id: string, afterEventId: Uuid | null): ModelSource[] {
    const found: ModelSource[] = [];
    for (const [streamId, blocks] of this.#models.get(id) ?? []) {
      for (const [block, { events, lastEventId }] of blocks) {
        if (afterEventId === null || lastEventId > afterEventId)
          found.push({ id, streamId, block, events, lastEventId });
      }
    }
    return found;
  }

  all(): ModelSource[] {
    return [...this.#models.keys()].flatMap((id) => this.of(id, null));
  }

  /** The models that have events of a stream. */
  modelsWith(streamId: Uuid): string[] {
    return [...this.#models].filter(([, streams]) => streams.has(streamId)).map(([id]) => id);
  }

  #add(id: string, streamId: Uuid, number: number, events: number, lastEventId: Uuid): void {
    let streams = this.#models.get(id);
    if (streams === undefined) this.#models.set(id, (streams = new Map()));
    let blocks = streams.get(streamId);
    if (blocks === undefined) streams.set(streamId, (blocks = new Map()));
    const block = blocks.get(number);
    if (block === undefined) {
      blocks.set(number, { events, lastEventId });
      this.#count++;
      return;
    }
    block.events = (block.events | events) >>> 0;
    if (block.lastEventId < lastEventId) block.lastEventId = lastEventId;
  }
}

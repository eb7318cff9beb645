import { asTables, behindEverything, PerspectiveMovedError, type PerspectiveStorage } from '../../storage/index.js';

export const mostSegments = 32;

/**
 * Into how many segments a perspective is divided for its own host and some idle ones: a power of two, at most one segment for each of them,
 * because every host with a segment reads all events of the perspective.
 */
export function segmentsFor(idleHosts: number): number {
  let segments = 2;
  while (segments < mostSegments && segments * 2 <= idleHosts + 1) segments *= 2;
  return segments;
}

export interface Division {
  readonly perspective: string;
  /** How many segments it has; 1: it is whole. */
  readonly segments: number;
  /** Its place in the log while it is whole. */
  readonly sequence: number;
}

/** The whole perspective that is furthest behind; undefined: all are divided. */
export function furthestBehind(divisions: readonly Division[]): string | undefined {
  const whole = divisions.filter(({ segments }) => segments === 1);
  return whole.toSorted((a, b) => a.sequence - b.sequence)[0]?.perspective;
}

/** How perspectives are divided into segments, and how that changes. */
export class Divisions {
  readonly #storage: PerspectiveStorage;

  constructor(storage: PerspectiveStorage) {
    this.#storage = storage;
  }

  get arePossible(): boolean {
    return this.#storage.segments !== undefined;
  }

  /** How long a host must be behind before its perspective is divided. */
  get afterMs(): number {
    return this.#storage.segments?.divideAfterMs ?? Infinity;
  }

  /** Whether a perspective is divided, and where it is. */
  async read(perspective: string): Promise<Division> {
    if (!this.arePossible) return { perspective, segments: 1, sequence: behindEverything };
    const { segments, sequence } = await this.#storage.readProgress(perspective);
    return { perspective, segments: segments?.length ?? 1, sequence };
  }

  /** Divides a perspective that this host processes alone. False: it cannot be divided now. */
  async divide(perspective: string, segments: number): Promise<boolean> {
    const from = await this.#storage.readProgress(perspective);
    if (from.sequence === behindEverything || from.segments !== undefined) return false;
    try {
      return await this.#storage.segments!.divide(asTables(perspective), from, segments);
    } catch (error) {
      if (error instanceof PerspectiveMovedError) return false;
      throw error;
    }
  }

  /** Makes a perspective whole, all of whose segments this host processes. False: not yet. */
  unite(perspective: string): Promise<boolean> {
    return this.#storage.segments!.unite(asTables(perspective));
  }
}

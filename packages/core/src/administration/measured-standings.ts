import type { PerspectiveHolder } from '../perspectives/index.js';
import {
  asTables,
  eventsPerSecond,
  type PerspectiveStanding,
  type PerspectiveStorage,
  type SegmentStanding,
} from '../storage/index.js';

/** Waiting events are counted up to this number. */
export const mostCounted = 10_000;
/** How long the rate of a perspective that lags is measured. */
const measuredMs = 1_000;

/** The lag of a perspective or a segment, and how fast it processes events. */
export interface PerspectiveLag {
  readonly behind: number;
  /** When the first of them happened, in milliseconds since 1970; null: none waits. */
  readonly oldestWaiting: number | null;
  /** Null: it does not lag, so there is nothing to measure. */
  readonly eventsPerSecond: number | null;
}

/** A segment of a perspective, and the hosts that process it: one for each version of the service that runs. */
export interface SegmentState extends PerspectiveLag {
  readonly segment: number;
  readonly sequence: number;
  readonly stopped: number;
  readonly hosts: readonly (string | null)[];
}

interface Standings {
  readonly whole: ReadonlyMap<string, PerspectiveStanding>;
  readonly segments: ReadonlyMap<string, readonly SegmentStanding[]>;
}

/** The standings of perspectives and their segments, twice if some of them lag, so that their rates are known. */
export class MeasuredStandings {
  readonly #first: Standings;
  readonly #second: Standings | null;

  private constructor(first: Standings, second: Standings | null) {
    this.#first = first;
    this.#second = second;
  }

  static async measure(storage: PerspectiveStorage, names: readonly string[]): Promise<MeasuredStandings> {
    const first = await read(storage, names);
    if ([...first.whole.values()].every(({ behind }) => behind === 0)) return new MeasuredStandings(first, null);
    await new Promise((resolve) => void setTimeout(resolve, measuredMs));
    return new MeasuredStandings(first, await read(storage, names));
  }

  lagOf(perspective: string): PerspectiveLag {
    const before = this.#first.whole.get(perspective);
    if (before === undefined) return { behind: 0, oldestWaiting: null, eventsPerSecond: null };
    return lag(before, this.#second?.whole.get(perspective));
  }

  /** The number of stopped streams. */
  stoppedOf(perspective: string): number {
    return (this.#second ?? this.#first).whole.get(perspective)?.stopped ?? 0;
  }

  segmentsOf(perspective: string, holders: readonly PerspectiveHolder[]): readonly SegmentState[] {
    const later = this.#second?.segments.get(perspective) ?? [];
    return (this.#first.segments.get(perspective) ?? []).map((before, segment) => {
      const after = later[segment];
      const { sequence, stopped } = after ?? before;
      const own = holders.filter((holder) => holder.perspective === perspective && holder.segment?.index === segment);
      const listed = { segment, sequence, stopped, hosts: own.map(({ process }) => process) };
      return Object.assign(listed, lag(before, after));
    });
  }
}

async function read(storage: PerspectiveStorage, names: readonly string[]): Promise<Standings> {
  const whole = new Map<string, PerspectiveStanding>();
  for (const standing of await storage.readStandings(names, mostCounted)) whole.set(standing.perspective, standing);
  const segments = new Map<string, readonly SegmentStanding[]>();
  for (const name of names) {
    segments.set(name, (await storage.segments?.readStandings(asTables(name), mostCounted)) ?? []);
  }
  return { whole, segments };
}

function lag(before: SegmentStanding, after: SegmentStanding | undefined): PerspectiveLag {
  const { behind, oldest } = after ?? before;
  const isMeasured = after !== undefined && before.behind > 0;
  return {
    behind,
    oldestWaiting: oldest,
    eventsPerSecond: isMeasured ? eventsPerSecond(before, after, measuredMs) : null,
  };
}

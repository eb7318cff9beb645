import type { AuditPlace, AuditRange, AuditSource, PlacedAuditRecord, StorageAudit } from '../storage/index.js';
import type { AuditPlaces } from './audit-token.js';

/** The time and the number of records that one step of a search reads. */
export interface SearchLimits {
  readonly chunk: number;
  /** The time at which the search ends. */
  readonly until: number;
  readonly signal: AbortSignal | undefined;
}

interface SourceReading {
  readonly source: AuditSource;
  place: AuditPlace | null;
  /** Records that were read, and how many of them were returned. */
  records: readonly PlacedAuditRecord[];
  returned: number;
  isAtEnd: boolean;
}

/** Reads the records of one or several sources, merged by time. */
export class AuditSearch {
  readonly #storage: StorageAudit;
  readonly #range: Omit<AuditRange, 'source' | 'after'>;
  readonly #limits: SearchLimits;
  readonly #sources: SourceReading[];

  constructor(
    storage: StorageAudit,
    sources: readonly AuditSource[],
    range: Omit<AuditRange, 'source' | 'after'>,
    places: AuditPlaces | null,
    limits: SearchLimits,
  ) {
    this.#storage = storage;
    this.#range = range;
    this.#limits = limits;
    this.#sources = sources.map((source, i) => ({
      source,
      place: places?.[i] ?? null,
      records: [],
      returned: 0,
      isAtEnd: false,
    }));
  }

  /** The places up to which records were returned. */
  get places(): AuditPlaces {
    return this.#sources.map(({ place }) => place);
  }

  /** Whether a record may follow. */
  async hasMore(): Promise<boolean> {
    await this.#readAhead();
    return this.#sources.some((reading) => nextOf(reading) !== undefined || !reading.isAtEnd);
  }

  /** The next record; null at the end, or when the time is up. */
  async next(): Promise<PlacedAuditRecord | null> {
    if (!(await this.#readAhead())) return null;
    let first: SourceReading | null = null;
    for (const reading of this.#sources) {
      if (nextOf(reading) === undefined) continue;
      if (first === null || this.#compare(reading, first) < 0) first = reading;
    }
    if (first === null) return null;
    const record = nextOf(first)!;
    first.returned++;
    first.place = record.place;
    return record;
  }

  /** Whether the next record of each source is known. */
  async #readAhead(): Promise<boolean> {
    const { chunk, until, signal } = this.#limits;
    const empty = this.#sources.filter((reading) => !reading.isAtEnd && nextOf(reading) === undefined);
    if (empty.length === 0) return true;
    signal?.throwIfAborted();
    if (performance.now() >= until) return false;
    await Promise.all(
      empty.map(async (reading) => {
        const { source, place } = reading;
        const { records, isLast } = await this.#storage.readPage({ ...this.#range, source, after: place }, chunk);
        Object.assign(reading, { records, returned: 0, isAtEnd: isLast });
      }),
    );
    signal?.throwIfAborted();
    return true;
  }

  #compare(a: SourceReading, b: SourceReading): number {
    const difference = nextOf(a)!.place.time - nextOf(b)!.place.time;
    return this.#range.newestFirst ? -difference : difference;
  }
}

/** The next record of a source; undefined: it is not read yet, or there is none. */
function nextOf({ records, returned }: SourceReading): PlacedAuditRecord | undefined {
  return records[returned];
}

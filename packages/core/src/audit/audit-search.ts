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
  /** Records that are read and not returned yet. */
  ahead: readonly PlacedAuditRecord[];
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
    this.#sources = sources.map((source, i) => ({ source, place: places?.[i] ?? null, ahead: [], isAtEnd: false }));
  }

  /** The places up to which records were returned. */
  get places(): AuditPlaces {
    return this.#sources.map(({ place }) => place);
  }

  /** Whether a record may follow. */
  async hasMore(): Promise<boolean> {
    await this.#readAhead();
    return this.#sources.some(({ ahead, isAtEnd }) => ahead.length > 0 || !isAtEnd);
  }

  /** The next record; null at the end, or when the time is up. */
  async next(): Promise<PlacedAuditRecord | null> {
    if (!(await this.#readAhead())) return null;
    const [first] = this.#sources.filter(({ ahead }) => ahead.length > 0).toSorted((a, b) => this.#compare(a, b));
    if (first === undefined) return null;
    const [record, ...rest] = first.ahead;
    first.ahead = rest;
    first.place = record!.place;
    return record!;
  }

  /** Whether the next record of each source is known. */
  async #readAhead(): Promise<boolean> {
    const { chunk, until, signal } = this.#limits;
    const empty = this.#sources.filter(({ isAtEnd, ahead }) => !isAtEnd && ahead.length === 0);
    if (empty.length === 0) return true;
    signal?.throwIfAborted();
    if (performance.now() >= until) return false;
    await Promise.all(
      empty.map(async (reading) => {
        const { source, place } = reading;
        const { records, isLast } = await this.#storage.readPage({ ...this.#range, source, after: place }, chunk);
        reading.ahead = records;
        reading.isAtEnd = isLast;
      }),
    );
    signal?.throwIfAborted();
    return true;
  }

  #compare(a: SourceReading, b: SourceReading): number {
    const difference = a.ahead[0]!.place.time - b.ahead[0]!.place.time;
    return this.#range.newestFirst ? -difference : difference;
  }
}

import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { SystemEventStream } from '../messages/index.js';
import type { Storage, StoredRecord } from '../storage/index.js';
import type { AuditEntry } from './audit-entry.js';
import { matcherOf, type AuditMatcher } from './audit-matcher.js';
import { auditPageBounds, requireValidQuery, type AuditQuery } from './audit-query.js';
import { AuditReader } from './audit-reader.js';

/** Which records to follow. `from` begins with the stored records from that time on, in the order of their time. */
export type FollowedAudit = Omit<AuditQuery, 'to' | 'first' | 'limit' | 'after' | 'signal'>;

/** New entries, and whether they are all that exist. */
export interface FollowedPage {
  readonly entries: readonly AuditEntry[];
  readonly isLast: boolean;
}

/** The last record of the system stream that was read. */
interface LastRead {
  readonly id: Uuid;
  readonly position: number;
}

/** How many records one call reads. */
const recordsPerPage = 500;

/**
 * Returns new entries of the audit, each once, in the order of the system stream. A stream has no gaps, and a record becomes visible only after
 * all previous ones: so none is skipped, however many hosts append. A call that fails changes nothing and can be repeated.
 */
export class AuditFollower {
  readonly #storage: Storage;
  readonly #reader: AuditReader;
  readonly #query: FollowedAudit;
  readonly #entryIfWanted: AuditMatcher;
  #last: LastRead | null;
  /** The `after` of the next page of stored records; null: all were returned. */
  #stored: { readonly after: string | undefined; readonly upTo: number } | null = null;

  private constructor(storage: Storage, query: FollowedAudit, last: LastRead | null) {
    this.#storage = storage;
    this.#reader = new AuditReader(storage);
    this.#query = query;
    this.#entryIfWanted = matcherOf(query, query.tenant ?? null);
    this.#last = last;
  }

  /** Begins after a record; null: at the end of the system stream. */
  static async begin(storage: Storage, query: FollowedAudit, after: Uuid | null): Promise<AuditFollower> {
    requireValidQuery(query);
    if (after !== null) {
      const position = await storage.positionOf(SystemEventStream.streamId, after);
      if (position < 0) {
        throw new ServiceError(
          'SVC_UNKNOWN_EVENT',
          `Cannot follow the audit after ${after}: the system stream has no record with this id. Pass the id of an audit record.`,
        );
      }
      return new AuditFollower(storage, query, { id: after, position });
    }
    const upTo = await storage.lastPosition(SystemEventStream.streamId);
    const follower = new AuditFollower(storage, query, await recordAt(storage, upTo));
    if (query.from !== undefined) follower.#stored = { after: undefined, upTo };
    return follower;
  }

  async read(): Promise<FollowedPage> {
    return this.#stored === null ? await this.#readNew() : await this.#readStored(this.#stored);
  }

  async #readStored({ after, upTo }: { readonly after: string | undefined; readonly upTo: number }) {
    const query = { ...this.#query, first: 'oldest', limit: auditPageBounds.most, after } as const;
    // Later records are read by their position.
    const isStored: AuditMatcher = (record) => (record.position <= upTo ? this.#entryIfWanted(record) : null);
    const { entries, next } = await this.#reader.searchPage(query, isStored, query.tenant !== undefined);
    this.#stored = next === null ? null : { after: next, upTo };
    return { entries, isLast: false };
  }

  async #readNew(): Promise<FollowedPage> {
    const from = this.#query.from?.getTime() ?? -Infinity;
    const wanted: AuditEntry[] = [];
    let [count, last] = [0, this.#last];
    for await (const record of this.#newRecords()) {
      const entry = record.timestamp >= from ? this.#entryIfWanted(record) : null;
      if (entry !== null) wanted.push(entry);
      last = { id: record.id, position: record.position };
      if (++count === recordsPerPage) break;
    }
    const entries = await this.#reader.withCauses(wanted);
    this.#last = last;
    return { entries, isLast: count < recordsPerPage };
  }

  async *#newRecords(): AsyncIterable<StoredRecord> {
    const last = this.#last;
    // The last record is read again, to notice that a backup was restored.
    let isKnown = last === null;
    for await (const record of this.#storage.readStream(SystemEventStream.streamId, last?.position ?? 0)) {
      if (!isKnown && record.id !== last!.id) break;
      if (isKnown) yield record;
      isKnown = true;
    }
    if (!isKnown) throw wentBack(last!);
  }
}

async function recordAt(storage: Storage, position: number): Promise<LastRead | null> {
  if (position < 0) return null;
  for await (const { id } of storage.readPositions(SystemEventStream.streamId, [position])) return { id, position };
  return null;
}

function wentBack({ id, position }: LastRead): ServiceError {
  return new ServiceError(
    'SVC_LOG_WENT_BACK',
    `The system stream no longer has the record ${id} at position ${position}: a backup was restored, or a standby without it became the primary. Follow the audit from its end again.`,
  );
}

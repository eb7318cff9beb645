import type { Uuid } from '@svc/core';
import type {
  AuditedCause,
  AuditRange,
  AuditRecords,
  AuditSource,
  PlacedAuditRecord,
  StorageAudit,
  StoredRecord,
} from '@svc/core/storage';
import { auditIndexes, auditLookupIndexes } from './audit-indexes.js';
import { causesStatement, keyOf, placeStatements, readyStatement, recordsStatement } from './audit-statements.js';
import { withLargeBodies, type BodyReaders } from './large-bodies.js';
import { toRecord } from './rows.js';
import { largeStreamBodies } from './storage-statements.js';

/** The indexes that all sources need, and those that only one needs. */
const required = Object.keys(auditIndexes);
const indexOf: Partial<Record<AuditSource['kind'], string>> = {
  message: 'svc_events_audit_message',
  type: 'svc_events_audit_type',
};

/** Finds records of the system stream in a PostgreSQL database. */
export class PostgresAudit implements StorageAudit {
  readonly #bodies: BodyReaders;
  readonly #open: () => Promise<void>;
  #valid: ReadonlySet<unknown> = new Set();

  constructor(bodies: BodyReaders, open: () => Promise<void>) {
    this.#bodies = bodies;
    this.#open = open;
  }

  async isReady(kind: AuditSource['kind']): Promise<boolean> {
    const needed = [...required, indexOf[kind] ?? []].flat();
    const isValid = (): boolean => needed.every((name) => this.#valid.has(name));
    if (isValid()) return true;
    await this.#open();
    const names = [...required, ...Object.keys(auditLookupIndexes)];
    const rows = await this.#bodies.reader.rows('svc-audit-ready', readyStatement, [names]);
    this.#valid = new Set(rows.map(({ name }) => name));
    return isValid();
  }

  async readPage({ source, newestFirst, from, to, after }: AuditRange, limit: number): Promise<AuditRecords> {
    await this.#open();
    const { name, text } = placeStatements[source.kind][newestFirst ? 'newest' : 'oldest'];
    const values = [keyOf(source), from, to, after?.time ?? null, after?.order ?? null, limit];
    const places = await this.#bodies.reader.rows(name, text, values);
    const wanted = places.flatMap(({ record }) => record ?? []);
    const records = await this.#records(wanted);
    const page: PlacedAuditRecord[] = [];
    for (const { time, place, record } of places) {
      const found = record === null ? null : records.get(record!);
      // Large records end a page.
      if (found === undefined) break;
      page.push({ place: { time: Number(time), order: Number(place) }, record: found });
    }
    return { records: page, isLast: page.length === places.length && places.length < limit };
  }

  async findCauses(ids: readonly Uuid[], correlationIds: readonly Uuid[]): Promise<readonly AuditedCause[]> {
    await this.#open();
    const rows = await this.#bodies.reader.rows('svc-audit-causes', causesStatement, [ids, correlationIds]);
    return rows.map(({ id, kind, type, metadata }) =>
      kind === 'event'
        ? { id: id as Uuid, kind, type: type!, metadata: JSON.parse(metadata!) as AuditedCause['metadata'] }
        : { id: id as Uuid, kind: 'command', type: JSON.parse(type!) as string, metadata: {} },
    );
  }

  async #records(sequences: readonly string[]): Promise<ReadonlyMap<string, StoredRecord>> {
    if (sequences.length === 0) return new Map();
    const rows = await this.#bodies.reader.rows('svc-audit-records', recordsStatement, [sequences]);
    const page = await withLargeBodies(this.#bodies, rows, largeStreamBodies);
    return new Map(page.map((row) => [row['sequence']!, toRecord(row)]));
  }
}

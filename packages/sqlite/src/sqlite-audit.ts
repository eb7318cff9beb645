import type { Uuid } from '@svc/core';
import type {
  ArchivedBodies,
  AuditedCause,
  AuditRange,
  AuditRecords,
  AuditSource,
  PlacedAuditRecord,
  StorageAudit,
} from '@svc/core/storage';
import type { Connection } from './connection.js';
import type { Row } from './engine.js';
import { withArchivedBodies, withLargeBodies } from './large-bodies.js';
import { eventColumn, missingColumns, toRecord } from './rows.js';

const names = {
  all: { newest: 'auditAllNewest', oldest: 'auditAllOldest' },
  user: { newest: 'auditUserNewest', oldest: 'auditUserOldest' },
  correlation: { newest: 'auditCorrelationNewest', oldest: 'auditCorrelationOldest' },
  message: { newest: 'auditMessageNewest', oldest: 'auditMessageOldest' },
  type: { newest: 'auditTypeNewest', oldest: 'auditTypeOldest' },
  access: { newest: 'auditAccessNewest', oldest: 'auditAccessOldest' },
  stream: { newest: 'auditStreamNewest', oldest: 'auditStreamOldest' },
} as const;

/** Finds records of the system stream in a database file. */
export class SqliteAudit implements StorageAudit {
  readonly #open: () => Promise<Connection>;
  readonly #archived: ArchivedBodies;

  constructor(open: () => Promise<Connection>, archived: ArchivedBodies) {
    this.#open = open;
    this.#archived = archived;
  }

  /** The indexes are created when the file is opened. */
  async isReady(): Promise<boolean> {
    await this.#open();
    return true;
  }

  async readPage(range: AuditRange, limit: number): Promise<AuditRecords> {
    const connection = await this.#open();
    const { places, stored } = await connection.unlocked(() => {
      const found = this.#places(connection, range, limit);
      const wanted = JSON.stringify(found.flatMap(({ record }) => record ?? []));
      const rows = inOrder(found, connection.sql.readSequences.all(wanted));
      return {
        places: found,
        stored: withLargeBodies(rows, eventColumn, (row) => missingColumns(connection.sql, row)),
      };
    });
    const page = await withArchivedBodies(stored, this.#archived);
    const records = new Map(page.map((row) => [row['sequence'], toRecord(row)]));
    const placed: PlacedAuditRecord[] = [];
    for (const { time, place, record } of places) {
      const found = record === null ? null : records.get(record);
      // Large records end a page.
      if (found === undefined) break;
      placed.push({ place: { time: time as number, order: place as number }, record: found });
    }
    return { records: placed, isLast: placed.length === places.length && places.length < limit };
  }

  async findCauses(ids: readonly Uuid[], correlationIds: readonly Uuid[]): Promise<readonly AuditedCause[]> {
    const connection = await this.#open();
    const values = [JSON.stringify(ids), JSON.stringify(correlationIds)] as const;
    const rows = await connection.unlocked(() => connection.sql.auditCauses.all(...values));
    return rows.map(
      ({ id, kind, type, metadata }) =>
        ({ id, kind, type, metadata: JSON.parse(metadata as string) as unknown }) as AuditedCause,
    );
  }

  #places(connection: Connection, { source, newestFirst, from, to, after }: AuditRange, limit: number): Row[] {
    const statement = connection.sql[names[source.kind][newestFirst ? 'newest' : 'oldest']];
    const end = newestFirst ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
    return statement.all(
      keyOf(source),
      from ?? Number.MIN_SAFE_INTEGER,
      to ?? Number.MAX_SAFE_INTEGER,
      after?.time ?? end,
      after?.order ?? end,
      limit,
    );
  }
}

function inOrder(places: readonly Row[], rows: readonly Row[]): readonly Row[] {
  const bySequence = new Map(rows.map((row) => [row['sequence'], row]));
  return places.flatMap(({ record }) => {
    const row = bySequence.get(record);
    return row === undefined ? [] : [row];
  });
}

function keyOf(source: AuditSource): string {
  switch (source.kind) {
    case 'all':
      return '';
    case 'user':
      return JSON.stringify({ userId: source.userId });
    case 'correlation':
      return source.correlationId;
    case 'access':
      return source.resourceId;
    case 'message':
      return source.messageId;
    case 'type':
      return source.type;
    case 'stream':
      return source.streamId;
  }
}

import type { Uuid } from '../../json/index.js';
import { SystemEventStream } from '../../messages/index.js';
import type {
  AuditedCause,
  AuditPlace,
  AuditRange,
  AuditRecords,
  AuditSource,
  StorageAudit,
} from '../capabilities/audit.js';
import type { EventRecord } from '../event-record.js';
import { recordOf, type LogEntry } from './log-entry.js';

const eventAudited = 'svc.EventAudited';
const commandAudited = 'svc.CommandAudited';
const accessTypes: ReadonlySet<string> = new Set(['svc.AccessDenied', 'svc.AccessGranted']);

interface Found {
  readonly place: AuditPlace;
  readonly entry: LogEntry | null;
}

/** Searches the whole log for each page: an in-memory log is short. */
export class InMemoryAudit implements StorageAudit {
  readonly #log: readonly LogEntry[];

  constructor(log: readonly LogEntry[]) {
    this.#log = log;
  }

  isReady(): Promise<boolean> {
    return Promise.resolve(true);
  }

  readPage(range: AuditRange, limit: number): Promise<AuditRecords> {
    const { source, newestFirst, from, to, after } = range;
    const sign = newestFirst ? -1 : 1;
    const found = this.#find(source)
      .filter(({ place: { time } }) => (from === null || time >= from) && (to === null || time < to))
      .filter(({ place }) => after === null || sign * compare(source, place, after) > 0)
      .toSorted((a, b) => sign * compare(source, a.place, b.place));
    const records = found
      .slice(0, limit)
      .map(({ place, entry }) => ({ place, record: entry === null ? null : recordOf(entry) }));
    return Promise.resolve({ records, isLast: found.length <= limit });
  }

  findCauses(ids: readonly Uuid[], correlationIds: readonly Uuid[]): Promise<readonly AuditedCause[]> {
    const wanted = new Set<Uuid | null>(ids);
    const causes = this.#log.flatMap(({ event }): AuditedCause[] => {
      const { id, type, streamId, causationId, correlationId, body, metadata } = event;
      if (!correlationIds.includes(correlationId)) return [];
      if (streamId !== SystemEventStream.streamId) return wanted.has(id) ? [{ id, kind: 'event', type, metadata }] : [];
      if (type !== commandAudited || !wanted.has(causationId)) return [];
      const { commandType } = JSON.parse(body) as { commandType: string };
      return [{ id: causationId!, kind: 'command', type: commandType, metadata: {} }];
    });
    return Promise.resolve(causes);
  }

  #find(source: AuditSource): readonly Found[] {
    if (source.kind === 'stream') return this.#ofStream(source.streamId);
    return this.#log
      .filter(({ event }) => event.streamId === SystemEventStream.streamId && isOf(source, event))
      .map((entry) => ({ place: { time: entry.event.timestamp, order: entry.sequence }, entry }));
  }

  #ofStream(streamId: Uuid): readonly Found[] {
    const audits = new Map(
      this.#log.filter(({ event }) => event.type === eventAudited).map((entry) => [entry.event.causationId, entry]),
    );
    return this.#log
      .filter(({ event }) => event.streamId === streamId)
      .map(({ event, position }) => ({
        place: { time: event.timestamp, order: position },
        entry: audits.get(event.id) ?? null,
      }));
  }
}

function isOf(
  source: Exclude<AuditSource, { kind: 'stream' }>,
  { type, correlationId, causationId, scope, body }: EventRecord,
): boolean {
  switch (source.kind) {
    case 'all':
      return true;
    case 'user':
      return scope?.['userId'] === source.userId;
    case 'correlation':
      return correlationId === source.correlationId;
    case 'message':
      return causationId === source.messageId;
    case 'type':
      return type === source.type;
    case 'access':
      return accessTypes.has(type) && (JSON.parse(body) as { resourceId?: unknown }).resourceId === source.resourceId;
  }
}

function compare({ kind }: AuditSource, a: AuditPlace, b: AuditPlace): number {
  return (kind === 'stream' ? 0 : a.time - b.time) || a.order - b.order;
}

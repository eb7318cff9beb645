import { AuditReader } from '../audit/index.js';
import type { Uuid } from '../json/index.js';
import { SystemEventStream } from '../messages/index.js';
import type { StoredRecord } from '../storage/index.js';
import type { AdministrationParts } from './administration-parts.js';
import { shownModel, type ShownModel } from './event-administration.js';
import { streamRewinds, type ShownRewind } from './stream-rewinds.js';
import { VisibleRecords } from './visible-records.js';

/** Which events of a stream to return. */
export interface StreamPage {
  readonly first?: 'newest' | 'oldest' | undefined;
  /** The position after which the page begins, in its direction. */
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
}

/** The newest snapshot of a perspective or a decider. */
export interface ShownSnapshot {
  readonly kind: 'perspective' | 'decider';
  readonly name: string;
  readonly eventId: Uuid;
  /** Null: the event is not in the stream. */
  readonly position: number | null;
}

/** A stream, and a page of its events. */
export interface ShownStream {
  readonly tenant: string;
  readonly length: number;
  readonly events: readonly StoredRecord[];
  /** The `after` of the next page; null: there are no more events. */
  readonly next: number | null;
  readonly snapshots: readonly ShownSnapshot[];
  readonly rewinds: readonly ShownRewind[];
}

/** The models of a stream at one of its positions. */
export interface ShownModels {
  readonly at: StoredRecord;
  readonly models: readonly ShownModel[];
  readonly isComplete: boolean;
}

const usualPage = 50;
/** Greater than every id. */
const afterAllIds = 'ffffffff-ffff-ffff-ffff-ffffffffffff' as Uuid;

/** Streams, for operators and the auditors of tenants. */
export class StreamAdministration {
  readonly #parts: AdministrationParts;

  constructor(parts: AdministrationParts) {
    this.#parts = parts;
  }

  async find(id: Uuid, page: StreamPage = {}): Promise<ShownStream> {
    const visible = await VisibleRecords.of(this.#parts.access, this.#parts.storageOf);
    const { storage } = visible;
    const tenant = await visible.stream(id);
    const last = await storage.lastPosition(id);
    const positions = positionsOf(page, last);
    const events: StoredRecord[] = [];
    for await (const record of storage.readPositions(
      id,
      positions.toSorted((a, b) => a - b),
    ))
      events.push(record);
    if (page.first !== 'oldest') events.reverse();
    const end = positions.at(-1);
    const isLast = end === undefined || (page.first === 'oldest' ? end === last : end === 0);
    return {
      tenant,
      length: last + 1,
      events,
      next: isLast ? null : end,
      snapshots: await this.#snapshots(visible, id),
      rewinds: id === SystemEventStream.streamId ? [] : await streamRewinds(new AuditReader(storage), id),
    };
  }

  /** The models that have events of the stream, at a position. Default: its last one. The view is recorded. */
  async models(id: Uuid, position?: number, signal?: AbortSignal): Promise<ShownModels> {
    const visible = await VisibleRecords.of(this.#parts.access, this.#parts.storageOf);
    await visible.stream(id);
    const last = await visible.storage.lastPosition(id);
    const [at] = await recordsAt(visible, id, Math.min(position ?? last, last));
    await visible.recordView('stream', id);
    const models: ShownModel[] = [];
    let isComplete = true;
    for (const history of await this.#parts.historiesOf()) {
      signal?.throwIfAborted();
      const past = await history.atPlace(at!);
      isComplete &&= past.isComplete;
      const isVisible = history.separatesTenants || visible.tenant === null;
      models.push(
        ...past.models
          .filter(({ events, status }) => events > 0 || status !== 'known')
          .map((model) => shownModel(model, isVisible)),
      );
    }
    return { at: at!, models, isComplete };
  }

  async #snapshots({ storage }: VisibleRecords, id: Uuid): Promise<readonly ShownSnapshot[]> {
    const found: Omit<ShownSnapshot, 'position'>[] = [];
    for (const history of await this.#parts.historiesOf()) {
      const eventId = await history.newestSnapshot(id, afterAllIds);
      if (eventId !== null) found.push({ kind: 'perspective', name: history.perspective, eventId });
    }
    for (const { name, version } of this.#parts.deciders) {
      const snapshot = await storage.snapshots?.read(name, id, version);
      if (snapshot) found.push({ kind: 'decider', name, eventId: snapshot.eventId });
    }
    return await Promise.all(
      found.map(async (snapshot) => {
        const position = await storage.positionOf(id, snapshot.eventId);
        return Object.assign(snapshot, { position: position < 0 ? null : position });
      }),
    );
  }
}

/** The positions of a page, in its direction. */
function positionsOf({ first, after, limit = usualPage }: StreamPage, last: number): readonly number[] {
  if (first === 'oldest') {
    const start = after === undefined ? 0 : after + 1;
    return Array.from({ length: Math.max(0, Math.min(limit, last - start + 1)) }, (_, i) => start + i);
  }
  const start = after === undefined ? last : Math.min(after - 1, last);
  return Array.from({ length: Math.max(0, Math.min(limit, start + 1)) }, (_, i) => start - i);
}

async function recordsAt({ storage }: VisibleRecords, id: Uuid, position: number): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  for await (const record of storage.readPositions(id, [position])) found.push(record);
  return found;
}

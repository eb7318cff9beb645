import type { AuditReader } from '../audit/index.js';
import type { Uuid } from '../json/index.js';

/** A rewind of a stream. */
export interface ShownRewind {
  readonly startedAt: Date;
  /** Null: it has not completed, or its record is not found. */
  readonly completedAt: Date | null;
  readonly perspectives: readonly string[];
  readonly triggerEventId: string | null;
  readonly eventsReplayed: number | null;
}

/** How many records of rewinds, of all streams, are searched. */
const mostSearched = 2_000;
const mostRewinds = 20;

interface RewindBody {
  readonly streamId: Uuid;
  readonly perspectiveNames: readonly string[];
  readonly triggerEventId?: string;
  readonly totalEventsReplayed?: number;
  readonly startedAt: string;
  readonly completedAt?: string;
}

/** The newest rewinds of a stream. */
export async function streamRewinds(reader: AuditReader, streamId: Uuid): Promise<readonly ShownRewind[]> {
  const type = ['svc.StreamRewindStarted', 'svc.StreamRewindCompleted'];
  const { found } = await reader.records({ type }, null, mostSearched);
  const rewinds = new Map<string, ShownRewind>();
  for (const { record } of found) {
    const body = JSON.parse(record.body) as RewindBody;
    if (body.streamId !== streamId) continue;
    const known = rewinds.get(body.startedAt);
    rewinds.set(body.startedAt, {
      startedAt: new Date(body.startedAt),
      completedAt: body.completedAt === undefined ? (known?.completedAt ?? null) : new Date(body.completedAt),
      perspectives: [...new Set([...(known?.perspectives ?? []), ...body.perspectiveNames])],
      triggerEventId: body.triggerEventId ?? known?.triggerEventId ?? null,
      eventsReplayed: body.totalEventsReplayed ?? known?.eventsReplayed ?? null,
    });
  }
  return [...rewinds.values()].toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime()).slice(0, mostRewinds);
}

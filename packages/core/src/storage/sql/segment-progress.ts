/** Converts the progress of divided tables. */
import { behindEverything } from '../log/event-log.js';
import { beforeEverything, comparePlaces, type LogPlace } from '../log-place.js';
import type { Progress } from '../models/progress.js';
import type { Segment } from '../models/segment.js';

/** The progress of tables, and of each of their segments; without segments, the tables are whole. */
export type RecordedProgress = Required<Pick<Progress, 'sequence' | 'revision' | 'segments'>>;

/**
 * The progress of tables with its segments: `[sequence, revision, transaction]` of each. All of them begin at the revision of the tables. With
 * each commit to a segment, the revision of the whole increases by one, too.
 */
export function progressOf(tables: Progress, parts: string | null): RecordedProgress {
  if (parts === null) return { ...tables, segments: [] };
  const all = JSON.parse(parts) as readonly (readonly [number, number, string | null])[];
  const segments = all.map(([sequence, revision]) => ({ sequence, revision }));
  const places = all.map(([sequence, , transaction]) => placeOf(sequence, transaction));
  const { sequence } = places.reduce((a, b) => (comparePlaces(a, b) <= 0 ? a : b));
  const revision = segments.reduce((sum, segment) => sum + segment.revision - tables.revision, tables.revision);
  return { sequence, revision, segments };
}

/** What a reader learns of the progress of recorded tables, or of one of their segments. */
export function recordedProgress(
  {
    sequence,
    revision,
    segments,
    generation,
    changed,
  }: RecordedProgress & { readonly generation: string; readonly changed: number },
  segment: Segment | undefined,
): Progress {
  if (segment === undefined) {
    return { sequence, revision, generation, ...(segments.length > 0 ? { segments } : { changed }) };
  }
  const own = segments.length === segment.of ? segments[segment.index] : undefined;
  return own ?? { sequence: behindEverything, revision: 0 };
}

function placeOf(sequence: number, transaction: string | null): LogPlace {
  if (sequence < 0) return beforeEverything;
  return transaction === null ? { sequence } : { sequence, transaction: Number(transaction) };
}

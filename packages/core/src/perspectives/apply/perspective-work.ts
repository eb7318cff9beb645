import { segmentsOf, type Segment } from '../../storage/index.js';

/** What one host processes at a time: a perspective, or a segment of one. */
export interface PerspectiveWork {
  readonly perspective: string;
  /** Absent: the whole perspective. */
  readonly segment?: Segment;
}

/** The parts of a perspective that hosts can process separately. */
export function partsOf(perspective: string, segments: number): readonly PerspectiveWork[] {
  if (segments === 1) return [{ perspective }];
  return segmentsOf(segments).map((segment) => ({ perspective, segment }));
}

/** Identifies work in the names of leases: `Orders`, or `Orders#0/4` for its first segment of four. */
export function nameOfWork({ perspective, segment }: PerspectiveWork): string {
  return segment === undefined ? perspective : `${perspective}#${segment.index}/${segment.of}`;
}

export function workOfName(name: string): PerspectiveWork {
  const [, perspective, index, of] = /^(.*)#(\d+)\/(\d+)$/su.exec(name) ?? [];
  if (perspective === undefined) return { perspective: name };
  return { perspective, segment: { index: Number(index), of: Number(of) } };
}

import type { Uuid } from '../json/index.js';
import type { FailedStream } from '../storage/index.js';
import type { ReadEvent } from './passed-events.js';
import type { AnyRecord } from './reaction-parts.js';

/** An event that waits in its lane. */
export interface QueuedEvent {
  readonly record: AnyRecord;
  readonly read: ReadEvent;
}

/** The events of one stream that wait, in order. One of them runs at a time. */
export interface Lane {
  readonly streamId: Uuid;
  readonly queue: QueuedEvent[];
  /** Set while the stream catches up after a failure: its events are then read from the stream. */
  failed: FailedStream | null;
  /** The last position that was read from the log while it catches up. */
  skipped: number;
  /** Whether it has caught up, and the record of its failure is being removed. */
  isResuming: boolean;
}

export function laneOf(streamId: Uuid, failed: FailedStream | null, ...queue: QueuedEvent[]): Lane {
  return { streamId, queue, failed, skipped: -1, isResuming: false };
}

import type { Uuid } from '../json/index.js';
import type { FailedStream } from '../storage/index.js';
import type { ReadEvent } from './passed-events.js';
import type { AnyRecord } from './reaction-parts.js';

/** The events of one stream that wait, in order. One of them runs at a time. */
export interface Lane {
  readonly streamId: Uuid;
  readonly queue: { readonly record: AnyRecord; readonly read: ReadEvent }[];
  /** Set while the stream catches up after a failure: its events are then read from the stream. */
  failed: FailedStream | null;
  /** The last position that was read from the log while it catches up. */
  skipped: number;
}

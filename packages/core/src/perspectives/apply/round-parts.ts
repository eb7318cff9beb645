import type { Event } from '../../messages/index.js';
import type { LogPlace, OutgoingRecord } from '../../storage/index.js';
import type { PerspectiveParts } from './model-events.js';
import type { FailureParts } from './perspective-failed-error.js';
import type { PerspectiveWork } from './perspective-work.js';
import type { SharedPerspectives } from './work-share.js';

export interface RoundParts extends PerspectiveParts, FailureParts {
  /** Prepares a rewind event for the outbox; null: rewind events are disabled. */
  readonly outgoingOf: ((event: Event) => OutgoingRecord) | null;
  /** Called when a message was queued. */
  readonly queued: () => void;
  /** Called with the progress of a perspective, or of a segment. */
  readonly reached: (work: PerspectiveWork, place: LogPlace) => void;
  /** The lane of the hosts that share the work: their rewinds belong together. */
  readonly lane: string;
  readonly share: Share;
  /** Whether the worker was woken since the last call, or since the round began. */
  readonly wasWoken: () => boolean;
  readonly report: (error: unknown) => void;
}

/** The perspectives that this host processes. */
export interface Share {
  /** Called when no perspective has uncommitted changes. */
  take(): Promise<SharedPerspectives>;
  holds(work: PerspectiveWork): Promise<boolean>;
  /** Called after each round. `isBehind`: there was more to process than the round had time for. */
  progressed(work: PerspectiveWork, isBehind: boolean): void;
}

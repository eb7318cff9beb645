import type { Duration, Int, Uuid } from '../../json/index.js';
import type { Event } from '../../messages/index.js';
import { auditEvent } from '../audit-attribute.js';

const reason = 'Perspective events are records themselves.';

/** How a perspective is rebuilt. */
export const RebuildMode = { BlueGreen: 'BlueGreen', InPlace: 'InPlace', SelectedStreams: 'SelectedStreams' } as const;
export type RebuildMode = (typeof RebuildMode)[keyof typeof RebuildMode];

/** Emitted when a rebuild of a perspective starts. */
@auditEvent({ exclude: true, reason })
export class PerspectiveRebuildStarted implements Event {
  /** The same in all events of one rebuild. */
  streamId!: Uuid;
  perspectiveName!: string;
  mode!: RebuildMode;
  totalStreams!: Int;
  startedAt!: Date;
}

/** Emitted during a rebuild of a perspective, with how much is done. */
@auditEvent({ exclude: true, reason })
export class PerspectiveRebuildProgress implements Event {
  /** The same in all events of one rebuild. */
  streamId!: Uuid;
  perspectiveName!: string;
  mode!: RebuildMode;
  processedStreams!: Int;
  totalStreams!: Int;
  eventsReplayed!: Int;
  startedAt!: Date;
}

/** Emitted when a rebuild of a perspective has succeeded. */
@auditEvent({ exclude: true, reason })
export class PerspectiveRebuildCompleted implements Event {
  /** The same in all events of one rebuild. */
  streamId!: Uuid;
  perspectiveName!: string;
  mode!: RebuildMode;
  streamsProcessed!: Int;
  eventsReplayed!: Int;
  duration!: Duration;
}

/** Emitted when a rebuild of a perspective has failed. */
@auditEvent({ exclude: true, reason })
export class PerspectiveRebuildFailed implements Event {
  /** The same in all events of one rebuild. */
  streamId!: Uuid;
  perspectiveName!: string;
  mode!: RebuildMode;
  error!: string;
  streamsProcessedBeforeFailure!: Int;
  duration!: Duration;
}

/** Emitted when a late event makes a perspective rewind a stream. */
@auditEvent({ exclude: true, reason })
export class PerspectiveRewindStarted implements Event {
  /** The stream that is replayed. */
  streamId!: Uuid;
  perspectiveName!: string;
  triggeringEventId!: Uuid;
  replayFromSnapshotEventId!: Uuid | null;
  hasSnapshot!: boolean;
  startedAt!: Date;
}

/** Emitted when a perspective has replayed a stream after a rewind. */
@auditEvent({ exclude: true, reason })
export class PerspectiveRewindCompleted implements Event {
  /** The stream that is replayed. */
  streamId!: Uuid;
  perspectiveName!: string;
  triggeringEventId!: Uuid;
  finalEventId!: Uuid;
  eventsReplayed!: Int;
  startedAt!: Date;
  completedAt!: Date;
}

/** Emitted once per stream before perspectives rewind it because of a late event. */
@auditEvent({ exclude: true, reason })
export class StreamRewindStarted implements Event {
  /** The stream that is replayed. */
  streamId!: Uuid;
  perspectiveNames!: readonly string[];
  triggerEventId!: Uuid;
  startedAt!: Date;
}

/** Emitted when all perspectives of a `StreamRewindStarted` have replayed the stream. */
@auditEvent({ exclude: true, reason })
export class StreamRewindCompleted implements Event {
  /** The stream that is replayed. */
  streamId!: Uuid;
  perspectiveNames!: readonly string[];
  totalEventsReplayed!: Int;
  startedAt!: Date;
  completedAt!: Date;
}

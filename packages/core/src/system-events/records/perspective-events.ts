import type { Duration, Int, Uuid } from '../../json/index.js';
import type { Event } from '../../messages/index.js';
import { auditEvent } from '../audit-attribute.js';

const reason = 'What happens to perspectives can be told from their events.';

/** How a perspective is rebuilt. */
export const RebuildMode = { BlueGreen: 'BlueGreen', InPlace: 'InPlace', SelectedStreams: 'SelectedStreams' } as const;
export type RebuildMode = (typeof RebuildMode)[keyof typeof RebuildMode];

@auditEvent({ exclude: true, reason })
export class PerspectiveRebuildStarted implements Event {
  streamId!: Uuid;
  perspectiveName!: string;
  mode!: RebuildMode;
  totalStreams!: Int;
  startedAt!: Date;
}

@auditEvent({ exclude: true, reason })
export class PerspectiveRebuildProgress implements Event {
  streamId!: Uuid;
  perspectiveName!: string;
  mode!: RebuildMode;
  processedStreams!: Int;
  totalStreams!: Int;
  eventsReplayed!: Int;
  startedAt!: Date;
}

@auditEvent({ exclude: true, reason })
export class PerspectiveRebuildCompleted implements Event {
  streamId!: Uuid;
  perspectiveName!: string;
  mode!: RebuildMode;
  streamsProcessed!: Int;
  eventsReplayed!: Int;
  duration!: Duration;
}

@auditEvent({ exclude: true, reason })
export class PerspectiveRebuildFailed implements Event {
  streamId!: Uuid;
  perspectiveName!: string;
  mode!: RebuildMode;
  error!: string;
  streamsProcessedBeforeFailure!: Int;
  duration!: Duration;
}

@auditEvent({ exclude: true, reason })
export class PerspectiveRewindStarted implements Event {
  streamId!: Uuid;
  perspectiveName!: string;
  triggeringEventId!: Uuid;
  replayFromSnapshotEventId!: Uuid | null;
  hasSnapshot!: boolean;
  startedAt!: Date;
}

@auditEvent({ exclude: true, reason })
export class PerspectiveRewindCompleted implements Event {
  streamId!: Uuid;
  perspectiveName!: string;
  triggeringEventId!: Uuid;
  finalEventId!: Uuid;
  eventsReplayed!: Int;
  startedAt!: Date;
  completedAt!: Date;
}

@auditEvent({ exclude: true, reason })
export class StreamRewindStarted implements Event {
  streamId!: Uuid;
  perspectiveNames!: readonly string[];
  triggerEventId!: Uuid;
  startedAt!: Date;
}

@auditEvent({ exclude: true, reason })
export class StreamRewindCompleted implements Event {
  streamId!: Uuid;
  perspectiveNames!: readonly string[];
  totalEventsReplayed!: Int;
  startedAt!: Date;
  completedAt!: Date;
}

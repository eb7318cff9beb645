/** What operators see first: the state of a service in one database. */
import type { HealthReport } from '../health/index.js';
import type { SealsStanding } from '../seals/index.js';
import type {
  DeadLetterCause,
  HeldLease,
  OutboxLane,
  PerspectiveStanding,
  ReactionStanding,
  RecordedHost,
} from '../storage/index.js';

/** How many commands all hosts ran per second, and how long they took. */
export interface CommandRates {
  readonly commandsPerSecond: number;
  readonly rejectedPerSecond: number;
  readonly failedPerSecond: number;
  /** Half of the commands took at most this long; null: there were none. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** A host, and the work that it does alone. */
export interface OverviewHost extends Pick<RecordedHost, 'id' | 'process' | 'isOwn'> {
  /** Null: the host records no activity, but holds leases. */
  readonly recorded: Pick<RecordedHost, 'version' | 'library' | 'startedAt' | 'seenMsAgo'> | null;
  readonly leases: readonly HeldLease[];
}

/** The messages that wait in a lane of the outbox. */
export interface OutboxLag {
  readonly lane: OutboxLane;
  readonly waiting: number;
  /** When the first of them was queued, in milliseconds since 1970; null: there is none. */
  readonly oldest: number | null;
}

/** The seals of the log, and the anchors of this host. */
export interface OverviewSeals {
  /** Null: there is none yet. */
  readonly last: { readonly number: number; readonly size: number; readonly time: string | null } | null;
  /** Why this host could not seal; null: it could, or another host seals. */
  readonly failure: string | null;
  readonly anchors: SealsStanding['anchors'];
}

/** The state of a service in one database. */
export interface Overview {
  /** By the clock of the database, in milliseconds since 1970. */
  readonly at: number;
  /** The health of this host. */
  readonly health: HealthReport;
  readonly hosts: readonly OverviewHost[];
  /** Of the last half minute; null: no host records its activity. */
  readonly now: CommandRates | null;
  readonly perspectives: readonly PerspectiveStanding[];
  readonly reactions: readonly ReactionStanding[];
  readonly outbox: readonly OutboxLag[];
  readonly deadLetters: ReadonlyMap<DeadLetterCause, number>;
  /** Null: the service does not seal its log. */
  readonly seals: OverviewSeals | null;
  /** Counts end here. */
  readonly countLimit: number;
}

/** The rates of a moment of the history. */
export interface HistoryPoint extends CommandRates {
  /** When it begins, in milliseconds since 1970. */
  readonly at: number;
}

/** The rates of all hosts over time. The points have equal distances. */
export interface ActivityHistory {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  readonly points: readonly HistoryPoint[];
}

/** A version of the service, and its part of the commands. */
export interface DeployedVersion extends CommandRates {
  readonly version: string | null;
  /** How many hosts run it now. */
  readonly hosts: number;
  /** When the first of them started, in milliseconds since 1970; null: none runs now. */
  readonly since: number | null;
  readonly commands: number;
  /** From 0 to 1. */
  readonly share: number;
}

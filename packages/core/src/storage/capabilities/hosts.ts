import type { Uuid } from '../../json/index.js';

/** Commands, and how many of them took how long. */
export interface CommandCounts {
  readonly commands: number;
  /** Of these, those that were rejected because of their request, or of what another caller did first. */
  readonly rejected: number;
  /** Of these, those that failed for another reason. */
  readonly failed: number;
  /** The number of commands by the bucket of their duration. */
  readonly durations: Readonly<Record<string, number>>;
}

/** What a host records about itself and one interval of its work. */
export interface HostActivity extends CommandCounts {
  /** The version of the service; null: unknown. */
  readonly version: string | null;
  /** The version of svc. */
  readonly library: string;
  /** When the host started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** When the interval began, by the clock of the database: a multiple of `everyMs`. */
  readonly at: number;
  /** The length of the interval, in milliseconds. */
  readonly everyMs: number;
}

/** A host that has recorded activity lately. */
export interface RecordedHost extends Pick<HostActivity, 'version' | 'library' | 'startedAt'> {
  /** The holder of its leases. */
  readonly id: Uuid;
  /** The machine and the process of the host, for operators; null: unknown. */
  readonly process: string | null;
  /** Whether it is this host. */
  readonly isOwn: boolean;
  /** How long ago it recorded its activity. */
  readonly seenMsAgo: number;
}

/** The activity of all hosts of a version in some time. */
export interface VersionActivity extends CommandCounts {
  readonly version: string | null;
  /** When that time begins, in milliseconds since 1970. */
  readonly at: number;
}

/** Which activity to read, and how to add it up. */
export interface ActivityRange {
  /** Intervals that begin at this time or later, in milliseconds since 1970. */
  readonly from: number;
  /** Intervals that begin before this time. */
  readonly to: number;
  /** The activity of so many milliseconds is added up. The first begins at a multiple of it. */
  readonly stepMs: number;
}

/** How many intervals a host can miss before it counts as gone. */
export const missedIntervals = 3;

/**
 * The capability `hosts`: hosts record what they do, so that each of them can show all of them.
 *
 * Without it, the operator console shows no hosts and no history.
 */
export interface StorageHosts {
  /**
   * Records this host and one interval. The same interval again replaces the first record. Deletes the records of all hosts that are older than `retainMs`.
   * It may be lost when the database crashes.
   */
  record(activity: HostActivity, retainMs: number): Promise<void>;
  /** Removes this host, which stops. Its activity remains. */
  leave(): Promise<void>;
  /** The hosts that have recorded activity within `missedIntervals` of their intervals, by the time of their start. At most `limit`. */
  read(limit: number): Promise<readonly RecordedHost[]>;
  /** The activity of each version and step that has one, in the order of their times. */
  readActivity(range: ActivityRange): Promise<readonly VersionActivity[]>;
}

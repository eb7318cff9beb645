/**
 * What the four strategies ask of whatever carries the traffic and runs the instances. A cluster and a single machine behind a
 * proxy both answer it, so that a strategy is written once.
 */
import type { Observation } from '../metrics/observation.js';
import type { Environment, Split } from './environments.js';
import type { RolloutClaim } from './rollout-claim.js';
import type { RolloutNote } from './rollout-note.js';

export interface TrafficPlatform
  extends TrafficSplitter, FrontSwitch, Environments, Replacement, RolloutNotes, RolloutClaims {
  /** For people: what it is and where. */
  readonly name: string;
}

/** Divides the traffic between the two environments. */
export interface TrafficSplitter {
  split(): Promise<Split>;
  /** Resolves once the split is in force. At no moment in between does an environment that should have traffic stand alone at 0. */
  setSplit(split: Split): Promise<void>;
  /** Requests that carry the header go to this environment, whatever the split. Null: the header means nothing. */
  forceByHeader(environment: Environment | null): Promise<void>;
  /** Begins to count, from now. */
  observe(): Promise<Observation>;
}

/** Sends all traffic to one environment at once. */
export interface FrontSwitch {
  /** With one environment only, there is nothing to switch or to split between: rolling and recreate remain. */
  hasTwoEnvironments(): Promise<boolean>;
  front(): Promise<Environment>;
  switchFront(environment: Environment): Promise<void>;
}

export interface EnvironmentStatus {
  /** What runs there; null when nothing does, or nobody knows. */
  readonly version: string | null;
  readonly wanted: number;
  /** Instances that answer their readiness probe with 200. */
  readonly ready: number;
  /** This version had all traffic, and was not taken back: it is one to go back to. */
  readonly served: boolean;
}

/** The instances of each environment. */
export interface Environments {
  status(environment: Environment): Promise<EnvironmentStatus>;
  /** Puts a version into an environment that has no traffic. It is there when `status` says so. */
  install(environment: Environment, version: string, instances: number): Promise<void>;
  /** Instances that go are drained first. */
  scale(environment: Environment, instances: number): Promise<void>;
  /** Says of the version that is in an environment now whether it is one to go back to. */
  setServed(environment: Environment, served: boolean): Promise<void>;
}

/** A version that ran before, and can run again. */
export interface Revision {
  readonly revision: number;
  readonly version: string;
  readonly current: boolean;
}

export interface ReplacementProgress {
  readonly wanted: number;
  readonly updated: number;
  readonly available: number;
  /** All that run, old and new. */
  readonly total: number;
}

export interface RollingLimits {
  readonly maxUnavailable: number;
  readonly maxSurge: number;
}

export interface ReplacementWatch {
  readonly onProgress: (progress: ReplacementProgress) => void;
  readonly signal: AbortSignal;
  /** Asked before each change; throwing ends the replacement there and then, and nothing more is touched. */
  readonly beforeChange?: () => Promise<void>;
}

/** Replaces the instances of the environment that has the traffic. */
export interface Replacement {
  /** Marked as critical: it must not go down for a deployment. */
  isCritical(): Promise<boolean>;
  /** Oldest first. */
  revisions(): Promise<readonly Revision[]>;
  /** @param to a version, or all that a revision was */
  rollingUpdate(to: string | Revision, limits: RollingLimits, watch: ReplacementWatch): Promise<void>;
  /** Stops all that runs, then starts the version. */
  recreate(version: string, watch: ReplacementWatch): Promise<void>;
}

/** What a controller leaves behind for the next one, kept where the traffic is divided and not where the controller runs. */
export interface RolloutNotes {
  note(): Promise<RolloutNote | null>;
  setNote(note: RolloutNote | null): Promise<void>;
}

/** Keeps deployers apart, wherever they run. */
export interface RolloutClaims {
  claim(): Promise<RolloutClaim | null>;
  /**
   * Puts a claim, or none, in the place of the one with the id `expected`, or of none; false when there is another one meanwhile. Of several
   * that try at once, one succeeds.
   */
  replaceClaim(expected: string | null, next: RolloutClaim | null): Promise<boolean>;
}

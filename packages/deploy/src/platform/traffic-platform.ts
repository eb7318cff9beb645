/**
 * What the four strategies need from the platform that routes the traffic and runs the instances. A cluster and a machine behind
 * HAProxy both implement it, so that each strategy exists once.
 */
import type { Observation } from '../metrics/observation.js';
import type { Environment, Split } from './environments.js';
import type { RolloutClaim } from './rollout-claim.js';
import type { RolloutNote } from './rollout-note.js';

/** The platform that routes the traffic of a service and runs its instances: a Kubernetes cluster, or machines behind HAProxy. */
export interface TrafficPlatform
  extends TrafficSplitter, FrontSwitch, Environments, Replacement, RolloutNotes, RolloutClaims {
  /** The kind and location of the platform, for display. */
  readonly name: string;
}

/** Divides the traffic between the two environments. */
export interface TrafficSplitter {
  split(): Promise<Split>;
  /** Resolves once the split is in force. In between, an environment that should have traffic is never the only one at 0. */
  setSplit(split: Split): Promise<void>;
  /** Requests with the header go to this environment, whatever the split. Null: the header has no effect. */
  forceByHeader(environment: Environment | null): Promise<void>;
  /** Starts counting now. */
  observe(): Promise<Observation>;
}

/** Sends all traffic to one environment at once. */
export interface FrontSwitch {
  /** False: there is one environment only. Nothing can be switched or split; rolling and recreate remain. */
  hasTwoEnvironments(): Promise<boolean>;
  front(): Promise<Environment>;
  switchFront(environment: Environment): Promise<void>;
}

/** The version and the instances of one environment. */
export interface EnvironmentStatus {
  /** The version there; null if nothing runs or the version is unknown. */
  readonly version: string | null;
  readonly wanted: number;
  /** Instances that answer their readiness probe with 200. */
  readonly ready: number;
  /** Whether this version had all traffic and was not reverted, so that a rollback may switch to it. */
  readonly served: boolean;
}

/** The instances of each environment. */
export interface Environments {
  status(environment: Environment): Promise<EnvironmentStatus>;
  /** Deploys a version to an environment without traffic. `status` shows when it is ready. */
  install(environment: Environment, version: string, instances: number): Promise<void>;
  /** Instances are drained before they stop. */
  scale(environment: Environment, instances: number): Promise<void>;
  /** Records whether a rollback may switch to the current version of an environment. */
  setServed(environment: Environment, served: boolean): Promise<void>;
}

/** A version that ran before and can run again. */
export interface Revision {
  readonly revision: number;
  readonly version: string;
  readonly current: boolean;
}

/** How many instances a rolling update or a recreate has replaced so far. */
export interface ReplacementProgress {
  readonly wanted: number;
  readonly updated: number;
  readonly available: number;
  /** All running instances, old and new. */
  readonly total: number;
}

/** How many instances may be unavailable, and how many may run in addition, during a rolling update. */
export interface RollingLimits {
  readonly maxUnavailable: number;
  readonly maxSurge: number;
}

export interface ReplacementWatch {
  readonly onProgress: (progress: ReplacementProgress) => void;
  readonly signal: AbortSignal;
  /** Called before each change. If it throws, the replacement stops and changes nothing more. */
  readonly beforeChange?: () => Promise<void>;
}

/** Replaces the instances of the environment that has the traffic. */
export interface Replacement {
  /** Whether the service is marked critical: it must stay available during a deployment. */
  isCritical(): Promise<boolean>;
  /** Oldest first. */
  revisions(): Promise<readonly Revision[]>;
  /** @param to a version, or a complete revision */
  rollingUpdate(to: string | Revision, limits: RollingLimits, watch: ReplacementWatch): Promise<void>;
  /** Stops all instances, then starts the version. */
  recreate(version: string, watch: ReplacementWatch): Promise<void>;
}

/** State that a controller leaves for the next one, stored on the platform instead of the controller's machine. */
export interface RolloutNotes {
  note(): Promise<RolloutNote | null>;
  setNote(note: RolloutNote | null): Promise<void>;
}

/** Excludes concurrent deployers, wherever they run. */
export interface RolloutClaims {
  claim(): Promise<RolloutClaim | null>;
  /**
   * Replaces the claim with the id `expected` (null: no claim) with `next`. False if there is another claim by now. Of several concurrent
   * attempts, one succeeds.
   */
  replaceClaim(expected: string | null, next: RolloutClaim | null): Promise<boolean>;
}

/** How the instances of a service stand behind HAProxy. */
export interface HaproxySettings {
  /** HAProxy's runtime API: the path of its socket, or `host:port`. */
  readonly socket: string;
  /** Where HAProxy listens. */
  readonly listen: string;
  /** The addresses of the environment's instances, running or not. What is more than needed is room for a rolling update. */
  readonly blue: readonly string[];
  readonly green: readonly string[];
  /** A folder for what has to outlive a restart: process ids, revisions, logs. */
  readonly state: string;
  /** Starts an instance and stays: a program and its arguments. `{version}`, `{port}`, `{host}`, `{slot}`, `{environment}` are filled in. */
  readonly run?: readonly string[];
  /** Shell commands that start and stop an instance, for whoever has a supervisor. The same words are filled in. */
  readonly start?: string;
  readonly stop?: string;
  /** The readiness probe's path. Default: `/health/ready`. */
  readonly probe: string;
  /** Between two probes. Default: 1000. */
  readonly probeMs: number;
  /** How long an instance may take to drain before it counts as stuck. Default: 60000. */
  readonly drainMs: number;
  /** How long an instance may take to become ready. Default: 60000. */
  readonly readyMs: number;
}

export const haproxyDefaults = {
  listen: '127.0.0.1:8080',
  probe: '/health/ready',
  probeMs: 1000,
  drainMs: 60_000,
  readyMs: 60_000,
} as const;

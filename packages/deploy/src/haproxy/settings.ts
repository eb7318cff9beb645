/** How HAProxy and the instances of a service are set up. */
export interface HaproxySettings {
  /** HAProxy's runtime API: the path of its socket, or `host:port`. */
  readonly socket: string;
  /** Where HAProxy listens. */
  readonly listen: string;
  /** The addresses of the environment's instances, running or not. Additional addresses are room for a rolling update. */
  readonly blue: readonly string[];
  readonly green: readonly string[];
  /** A folder for state that must outlive a restart: process ids, revisions, logs. */
  readonly state: string;
  /** A program and its arguments that runs an instance. `{version}`, `{port}`, `{host}`, `{slot}` and `{environment}` are replaced. */
  readonly run?: readonly string[];
  /** Shell commands that start and stop an instance through a supervisor. The same placeholders are replaced. */
  readonly start?: string;
  readonly stop?: string;
  /** The path of the readiness probe. Default: `/health/ready`. */
  readonly probe: string;
  /** Interval of the probe in milliseconds. Default: 1000. */
  readonly probeMs: number;
  /** How long an instance may take to drain before that is an error. Default: 60000. */
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

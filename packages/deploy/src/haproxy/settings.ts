/** How HAProxy and the instances of a service are set up. */
export interface HaproxySettings {
  /** HAProxy's runtime API: the path of its socket, or `host:port`. */
  readonly socket: string;
  /** Where HAProxy listens. Default: `127.0.0.1:8080`. */
  readonly listen: string;
  /** The addresses of the instances of blue, running or not. Additional addresses are room for a rolling update. */
  readonly blue: readonly string[];
  /** The addresses of the instances of green. Default: none. */
  readonly green: readonly string[];
  /** A folder for state that must outlive a restart: process ids, revisions, logs. Default: `.svc/deploy`. */
  readonly state: string;
  /** A program and its arguments that runs an instance. `{version}`, `{port}`, `{host}`, `{slot}` and `{environment}` are replaced. */
  readonly run?: readonly string[];
  /** The shell command that starts an instance through a supervisor. The same placeholders are replaced. */
  readonly start?: string;
  /** The shell command that stops it. */
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

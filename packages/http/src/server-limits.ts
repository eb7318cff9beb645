/** The time limits for clients, in milliseconds. */
export interface ServerLimitOptions {
  /** For the headers of a request, even on a connection that sends nothing. Default: 10 s. */
  readonly headersMs?: number;
  /** For a whole request, its body included. Default: 60 s. */
  readonly requestMs?: number;
  /** How often `headersMs` and `requestMs` are checked, so a client has up to this much longer. Default: 2 s. */
  readonly checkMs?: number;
  /** Between two requests on one connection. Must exceed the idle time of the load balancer. Default: 72 s. */
  readonly keepAliveMs?: number;
  /** Without a byte in either direction. Must exceed the slowest handler. Disconnects clients that do not read their response. Default: 2 min. */
  readonly idleMs?: number;
}

const defaults: Required<ServerLimitOptions> = {
  headersMs: 10_000,
  requestMs: 60_000,
  checkMs: 2_000,
  keepAliveMs: 72_000,
  idleMs: 120_000,
};

/** Returns the limits with their defaults; throws if one is invalid. */
export function clientLimits(options: ServerLimitOptions): Required<ServerLimitOptions> {
  const { headersMs, requestMs, checkMs, keepAliveMs, idleMs } = { ...defaults, ...options };
  for (const [name, value] of Object.entries({ headersMs, requestMs, checkMs, keepAliveMs, idleMs })) {
    if (!Number.isSafeInteger(value) || value <= 0 || value > longestTimer) {
      throw new RangeError(`${name} must be a whole number of milliseconds from 1 to ${longestTimer}, not ${value}.`);
    }
  }
  if (headersMs > requestMs) {
    throw new RangeError(
      `headersMs (${headersMs}) must not exceed requestMs (${requestMs}): the headers are part of the request.`,
    );
  }
  return { headersMs, requestMs, checkMs, keepAliveMs, idleMs };
}

/** Node fires longer timers immediately. */
const longestTimer = 2 ** 31 - 1;

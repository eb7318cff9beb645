import type { ServerOptions } from 'node:http';

/** How long a client can take, in milliseconds. */
export interface ServerLimitOptions {
  /** For the headers of a request. A connection that sends nothing counts, too. Default: 10 s. */
  readonly headersMs?: number;
  /** For a whole request, its body included. Default: 60 s. */
  readonly requestMs?: number;
  /** How often `headersMs` and `requestMs` are checked, so a client has up to this much longer. Default: 2 s. */
  readonly checkMs?: number;
  /** Between two requests on one connection. Must exceed the idle time of a load balancer in front. Default: 72 s. */
  readonly keepAliveMs?: number;
  /** Without a byte in either direction. Must exceed the slowest handler. Ends clients that do not read their answer. Default: 2 min. */
  readonly idleMs?: number;
}

/** What `serverLimits` sets of Fastify's options. */
export interface ServerLimits {
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionTimeout: number;
  readonly http2SessionTimeout: number;
  /** For HTTPS, spread it into the option `https`: Fastify passes `http` to plain servers only. */
  readonly http: Required<Pick<ServerOptions, 'headersTimeout' | 'connectionsCheckingInterval'>>;
}

const defaults: Required<ServerLimitOptions> = {
  headersMs: 10_000,
  requestMs: 60_000,
  checkMs: 2_000,
  keepAliveMs: 72_000,
  idleMs: 120_000,
};

/**
 * Options for Fastify that end slow and silent clients: `Fastify({ ...serverLimits() })`. By itself Fastify waits for a body without end.
 * Over HTTP/2 there is `idleMs` only, for a whole connection: Node has no other limits there.
 */
export function serverLimits(options: ServerLimitOptions = {}): ServerLimits {
  const { headersMs, requestMs, checkMs, keepAliveMs, idleMs } = { ...defaults, ...options };
  for (const [name, value] of Object.entries({ headersMs, requestMs, checkMs, keepAliveMs, idleMs })) {
    if (!Number.isSafeInteger(value) || value <= 0 || value > longestTimer) {
      throw new RangeError(`${name} must be a whole number of milliseconds from 1 to ${longestTimer}, not ${value}.`);
    }
  }
  if (headersMs > requestMs) {
    throw new RangeError(`headersMs (${headersMs}) must not exceed requestMs (${requestMs}): the headers are a part.`);
  }
  return {
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionTimeout: idleMs,
    http2SessionTimeout: idleMs,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkMs },
  };
}

/** Node fires longer timers at once. */
const longestTimer = 2 ** 31 - 1;

import type { ServerOptions } from 'node:http';
import { longestIndexedText } from '@svc/core/storage';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem, sendProblem, type Problem } from './problems/index.js';

/** The time limits for clients, in milliseconds. */
export interface ServerLimitOptions {
  /** For the headers of a request, also on a connection that sends nothing. Default: 10 s. */
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

/** The Fastify options that `serverLimits` sets. */
export interface ServerLimits {
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionTimeout: number;
  readonly http2SessionTimeout: number;
  /** For HTTPS, spread it into the option `https`: Fastify passes `http` to plain servers only. */
  readonly http: Required<Pick<ServerOptions, 'headersTimeout' | 'connectionsCheckingInterval'>>;
  /** Fastify's own limit is 100 characters, but the key of a model may have 400. */
  readonly routerOptions: { readonly maxParamLength: number };
  /** Answers requests whose path Fastify rejects with a problem, like every other error. */
  readonly frameworkErrors: (error: Error, request: object, reply: object) => void;
}

const defaults: Required<ServerLimitOptions> = {
  headersMs: 10_000,
  requestMs: 60_000,
  checkMs: 2_000,
  keepAliveMs: 72_000,
  idleMs: 120_000,
};

/**
 * Returns Fastify options that disconnect slow and silent clients: `Fastify({ ...serverLimits() })`. Fastify's default waits for a body without
 * limit. They also allow keys of 400 characters in paths, and answer invalid paths with a problem. Over HTTP/2 only `idleMs` applies, to a whole connection: Node has no other limits there.
 */
export function serverLimits(options: ServerLimitOptions = {}): ServerLimits {
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
  return {
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionTimeout: idleMs,
    http2SessionTimeout: idleMs,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkMs },
    routerOptions: { maxParamLength: longestIndexedText },
    // Of any server: the types of Fastify differ for HTTP/1 and HTTP/2.
    frameworkErrors: (error, request, reply) =>
      sendProblem(request as FastifyRequest, reply as FastifyReply, rejectedPath(error), error),
  };
}

function rejectedPath(error: Error): Problem {
  const isTooLong = 'code' in error && error.code === 'FST_ERR_MAX_PARAM_LENGTH';
  return isTooLong
    ? problem('uri-too-long', `A part of the path has more than ${longestIndexedText} characters.`)
    : problem('bad-request', 'The path has a "%" that no two hexadecimal digits follow, or is not UTF-8.');
}

/** Node fires longer timers immediately. */
const longestTimer = 2 ** 31 - 1;

import type { ServerOptions } from 'node:http';
import { longestIndexedText } from '@svc/core/storage';
import type { ServerLimitOptions } from '@svc/http';
import { clientLimits, invalidPath, sendProblem, tooLongPath, type Problem } from '@svc/http/hosting';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The Fastify options that `serverLimits` sets. */
export interface ServerLimits {
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionTimeout: number;
  readonly http2SessionTimeout: number;
  /** None: registering a service waits until its database is migrated, which can exceed Fastify's own limit of 10 s. */
  readonly pluginTimeout: 0;
  /** For HTTPS, spread it into the option `https`: Fastify passes `http` to plain servers only. */
  readonly http: Required<Pick<ServerOptions, 'headersTimeout' | 'connectionsCheckingInterval'>>;
  /** Fastify's own limit is 100 characters, but the key of a model may have 400. */
  readonly routerOptions: { readonly maxParamLength: number };
  /** Answers requests whose path Fastify rejects with a problem, like every other error. */
  readonly frameworkErrors: (error: Error, request: object, reply: object) => void;
}

/**
 * Returns Fastify options that disconnect slow and silent clients: `Fastify({ ...serverLimits() })`. Fastify's default waits for a body without
 * limit. They also allow keys of 400 characters in paths, answer invalid paths with a problem, and let a service start for longer than 10 s. Over HTTP/2 only `idleMs` applies, to a whole connection: Node has no other limits there.
 */
export function serverLimits(options: ServerLimitOptions = {}): ServerLimits {
  const { headersMs, requestMs, checkMs, keepAliveMs, idleMs } = clientLimits(options);
  return {
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionTimeout: idleMs,
    http2SessionTimeout: idleMs,
    pluginTimeout: 0,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkMs },
    routerOptions: { maxParamLength: longestIndexedText },
    // Of any server: the types of Fastify differ for HTTP/1 and HTTP/2.
    frameworkErrors: (error, request, reply) =>
      sendProblem(request as FastifyRequest, reply as FastifyReply, rejectedPath(error), error),
  };
}

function rejectedPath(error: Error): Problem {
  return 'code' in error && error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? tooLongPath() : invalidPath();
}

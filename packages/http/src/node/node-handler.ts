import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';
import type { Service } from '@svc/core';
import { consoleLog } from '../console-log.js';
import type { HostDrain } from '../drain/index.js';
import { HostApi, type Match } from '../host-api.js';
import type { SentBody } from '../json-body.js';
import type { HostOptions } from '../host-options.js';
import { isLive } from '../http-request.js';
import { PlainRequest } from '../plain-request.js';
import type { MetricsSource } from '../routes/index.js';
import { NodeReply } from './node-reply.js';

/** A request of Node. Frameworks add properties to it. */
export type NodeRequest = (IncomingMessage | Http2ServerRequest) & {
  /** The URL before a framework removed the path that it has mounted the handler on. */
  readonly originalUrl?: string;
  /** The body, if a framework has read it, as NestJS with the option `rawBody`. */
  readonly rawBody?: Buffer;
};

/** A handler for servers of Node, and a middleware for Express, NestJS and Connect. Without `next` it answers 404 for other paths. */
export type NodeHandler = (
  request: NodeRequest,
  response: ServerResponse | Http2ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * Returns a handler with all routes of a service: `app.use(await nodeHandler(service, { prefix: '/api' }))` in Express, or
 * `createServer(await nodeHandler(service))`. It starts the service, so configuration errors occur before the host listens. Register it
 * before middlewares that read bodies, such as `express.json()`. Stop the service yourself, after the server is closed.
 */
export async function nodeHandler<TServices extends object>(
  service: Service<TServices>,
  options: HostOptions = {},
): Promise<NodeHandler> {
  const api = await HostApi.start(service, options);
  return nodeHandlerOf(api, options, null);
}

export function nodeHandlerOf<TServices extends object>(
  api: HostApi<TServices>,
  { log = consoleLog, metrics }: HostOptions,
  drain: HostDrain | null,
): NodeHandler {
  return (raw, response, next) => {
    const originalUrl = raw.originalUrl ?? raw.url ?? '/';
    const method = raw.method ?? 'GET';
    const queryAt = originalUrl.indexOf('?');
    const match = api.match(method, queryAt === -1 ? originalUrl : originalUrl.slice(0, queryAt));
    if (match.kind === 'unknown' && next !== undefined) return next();
    const request = new PlainRequest({
      raw,
      method,
      originalUrl,
      headers: raw.headers,
      params: match.kind === 'route' ? match.params : {},
      log,
    });
    const reply = new NodeReply(request, response);
    if (metrics !== undefined) measure(metrics.source, match, reply);
    const isProbe = match.kind === 'route' && match.route.isProbe === true;
    if (drain !== null && !drain.watch(request, reply, isProbe)) return;
    if (match.kind === 'route') api.answer(match, request, reply, () => bodyOf(raw));
    else api.reject(match, request, reply);
  };
}

function bodyOf(raw: NodeRequest): SentBody {
  if (!raw.readableDidRead) return { stream: raw, encoding: raw.headers['content-encoding'] };
  if (raw.rawBody !== undefined) return { stream: Readable.from([raw.rawBody]), encoding: undefined };
  throw new Error(
    'Another middleware has read the body. Register the handler of svc before it, or make it store the bytes in "rawBody".',
  );
}

function measure(source: MetricsSource, match: Match, { raw, request }: NodeReply): void {
  const { method } = request;
  const startedAt = performance.now();
  const route = match.kind === 'route' ? match.path : null;
  raw.once('close', () => {
    // No response was sent if the client disconnected first.
    if (!raw.headersSent || isLive(request)) return;
    source.answered?.({ method, route, status: raw.statusCode, seconds: (performance.now() - startedAt) / 1000 });
  });
}

import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { CommandRequest } from '@svc/core/hosting';

/** A request of a `fetch` host, which shows only whether the client waits. */
export interface FetchedRequest {
  readonly httpVersionMajor: 0;
  /** Empty: these hosts have joined repeated headers. */
  readonly rawHeaders: readonly string[];
  readonly client: ClientConnection;
}

/** A request of Node, over HTTP/1 or HTTP/2. */
export type NodeRawRequest = IncomingMessage | Http2ServerRequest;

/** A request of Node or of a `fetch` host. */
export type RawRequest = NodeRawRequest | FetchedRequest;

/** The connection of a request: a socket, or one stream of an HTTP/2 connection. */
export interface ClientConnection {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** With HTTP/2 each request has its own stream, which closes with it. */
export function connectionOf(request: RawRequest): ClientConnection {
  if ('client' in request) return request.client;
  return isHttp2(request) ? request.stream : request.socket;
}

/** Whether a request came over HTTP/2. */
export function isHttp2(request: RawRequest): request is Http2ServerRequest {
  return request.httpVersionMajor === 2;
}

/**
 * The requests of a connection without a response; all are aborted when it closes. A connection carries many requests, and several at once if
 * they are pipelined, so it has one listener instead of one per request.
 */
export function unansweredOn(connection: ClientConnection): CommandRequest[] {
  const known = unanswered.get(connection);
  if (known !== undefined) return known;
  const requests: CommandRequest[] = [];
  unanswered.set(connection, requests);
  connection.once('close', () => {
    for (const request of requests) request.abort();
  });
  return requests;
}

/** Arrays, because most have at most one entry. */
const unanswered = new WeakMap<ClientConnection, CommandRequest[]>();

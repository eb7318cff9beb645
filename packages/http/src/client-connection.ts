import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { CommandRequest } from '@svc/core/hosting';

export type RawRequest = IncomingMessage | Http2ServerRequest;

/** What requests come over: a socket, or one stream of a connection that carries many. */
export interface ClientConnection {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** With HTTP/2 each request has a stream of its own, which closes with it. */
export function connectionOf(request: RawRequest): ClientConnection {
  return isHttp2(request) ? request.stream : request.socket;
}

export function isHttp2(request: RawRequest): request is Http2ServerRequest {
  return request.httpVersionMajor === 2;
}

/**
 * The requests of a connection that are not answered yet; all are aborted when it closes. A connection carries many requests one after
 * another, and several at once when they are pipelined, so each has one listener instead of a listener per request.
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

/** Arrays, because most hold one entry or none. */
const unanswered = new WeakMap<ClientConnection, CommandRequest[]>();

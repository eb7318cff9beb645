import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { beginExchange as begin, type Exchange } from '@svc/http';

type RawRequest = IncomingMessage | Http2ServerRequest;

/** Begins to watch the client of a request. */
export function beginExchange(request: RawRequest): Exchange {
  return begin(connectionOf(request));
}

/** Whether nobody is left to answer. */
export function isGone(request: RawRequest): boolean {
  return connectionOf(request).destroyed;
}

/** With HTTP/2 each request has a stream of its own, which closes with it. */
function connectionOf(request: RawRequest) {
  return isHttp2(request) ? request.stream : request.socket;
}

export function isHttp2(request: RawRequest): request is Http2ServerRequest {
  return request.httpVersionMajor === 2;
}

import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';

/** With HTTP/2 each request has a stream of its own. */
export function isHttp2(request: IncomingMessage | Http2ServerRequest): request is Http2ServerRequest {
  return request.httpVersionMajor === 2;
}

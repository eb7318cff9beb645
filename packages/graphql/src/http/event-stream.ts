/** Results as server-sent events, in the distinct connections mode of https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md */
import { longestHeader, setStreamHeaders, type HostReply, type HostRequest } from '@svc/http/hosting';
import { requestError } from '../errors/index.js';

const mediaType = 'text/event-stream';

/** Whether a client accepts a stream of results. `Accept` is a preference: a long one is ignored. */
export function acceptsStream({ headers: { accept = '' } }: HostRequest): boolean {
  return accept.length <= longestHeader && accept.includes(mediaType);
}

/** Whether a client wants every result as a stream. Some accept streams with every operation, and read JSON if it has one result. */
export function wantsStream(request: HostRequest): boolean {
  const { accept = '' } = request.headers;
  return acceptsStream(request) && !accept.includes('json') && !accept.includes('*/*');
}

/** One result. */
export function nextEvent(result: object): string {
  return `event: next\ndata: ${JSON.stringify(result)}\n\n`;
}

/** A stream with one result. `EventSource` ignores an event without data. */
export function wholeStream(reply: HostReply, result: object): string {
  setStreamHeaders(reply);
  return `${nextEvent(result)}event: complete\ndata: \n\n`;
}

/** Rejects the requests of clients that expect the results of all operations on one connection. */
export function requireDistinctConnection({ headers }: HostRequest): void {
  if (headers['x-graphql-event-stream-token'] === undefined) return;
  throw requestError(400, 'BAD_REQUEST', `${singleConnection} Send each operation without a token.`);
}

export const singleConnection =
  'The single connection mode of graphql-sse is not served. Set singleConnection of the client to false.';

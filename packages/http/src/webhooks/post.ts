import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';

/** How much of a response is read. It is not used: reading it lets the receiver finish. */
const mostResponseBytes = 65_536;

/** A request to another system. */
export interface Post {
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
  /** Resolves the name of the URL; absent: as Node does. */
  readonly lookup?: LookupFunction;
  /** Ends the request and its connection. */
  readonly signal: AbortSignal;
}

/** The part of a response that decides about a delivery. */
export interface Posted {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/**
 * Sends a POST request on a connection of its own, and does not follow redirects. Settles when the response has ended or was cut off, when the
 * connection is closed, and at the latest when `signal` is aborted.
 */
export function post({ url, headers, body, lookup, signal }: Post): Promise<Posted> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    // Without an agent: its connections could have been opened for another address of the name.
    const options = { method: 'POST', headers, agent: false as const, ...(lookup !== undefined && { lookup }) };
    const sent = send(url, options);
    let posted: Posted | null = null;
    const settle = (failure: unknown): void => {
      signal.removeEventListener('abort', abort);
      // The status decides, even if the rest of the response is slow, too large or interrupted.
      if (posted === null) reject(failure);
      else resolve(posted);
      sent.destroy();
    };
    const abort = (): void => settle(signal.reason);
    sent.on('response', (response) => {
      posted = postedOf(response);
      discard(response);
      response.once('close', () => settle(null));
    });
    // Without a listener, Node would close the connection without any further event.
    sent.on('upgrade', (response, socket) => {
      posted = postedOf(response);
      socket.destroy();
      settle(null);
    });
    sent.on('error', settle);
    sent.once('close', () => settle(closedEarly()));
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    else sent.end(body);
  });
}

function postedOf({ statusCode = 0, headers }: IncomingMessage): Posted {
  return { status: statusCode, retryAfter: headers['retry-after'] };
}

/** Reads the start of a response, then ends it. */
function discard(response: IncomingMessage): void {
  let length = 0;
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > mostResponseBytes) response.destroy();
  });
}

function closedEarly(): Error {
  return Object.assign(new Error('The connection was closed without a response.'), { code: 'ECONNRESET' });
}

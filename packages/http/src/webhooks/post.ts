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

/** Sends a POST request on a connection of its own, and does not follow redirects. Resolves when the response has ended or was cut off. */
export function post({ url, headers, body, lookup, signal }: Post): Promise<Posted> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    // Without an agent: its connections could have been opened for another address of the name.
    const options = { method: 'POST', headers, signal, agent: false as const, ...(lookup !== undefined && { lookup }) };
    const sent = send(url, options, (response) => {
      // The status decides, also if the rest of the response is slow, too large or interrupted.
      sent.off('error', reject).on('error', () => {});
      void closed(response).then(() =>
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function closed(response: IncomingMessage): Promise<void> {
  let length = 0;
  response.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > mostResponseBytes) response.destroy();
  });
  response.on('error', () => {});
  return new Promise((resolve) => response.once('close', resolve));
}

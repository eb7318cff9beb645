import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import { connectionOf, isHttp2, type ClientConnection, type NodeRawRequest } from '../client-connection.js';
import type { HostReply, HostRequest } from '../host.js';
import { problem, sendProblem } from '../problems/index.js';

const detail = 'This host is stopping. Try again.';

/** A reply on a connection of this process. */
export interface OpenReply extends HostReply {
  readonly raw: ServerResponse | Http2ServerResponse;
  readonly request: HostRequest & { readonly raw: NodeRawRequest };
  /** Whether the response has begun. */
  readonly sent: boolean;
}

interface OpenRequest {
  readonly reply: OpenReply;
  /** Its place in the list; -1: it is no longer there. */
  at: number;
}

/**
 * The requests of a host without a complete response, or whose client has not read it yet. A list, not a `Set`: a `Set` that grows and shrinks
 * leaves tables behind that refer to the next one. Once one of them is in the old generation, all requests since survive minor collections, which
 * took a fifth of the time of a request.
 */
export class OpenRequests {
  readonly #requests: OpenRequest[] = [];
  /** The requests that were pipelined, by their connections. */
  readonly #queued = new WeakMap<ClientConnection, Set<OpenRequest>>();
  #emptied: (() => void) | undefined;

  get size(): number {
    return this.#requests.length;
  }

  /** Requests whose response is incomplete. A complete response that its client does not read is not work of this host. */
  get unanswered(): number {
    return this.#requests.filter(({ reply: { raw } }) => !raw.writableEnded).length;
  }

  add(reply: OpenReply): void {
    const request = { reply, at: this.#requests.length };
    this.#requests.push(request);
    // Emitted after the response is sent, and when the client disconnects.
    reply.raw.once('close', () => this.#remove(request));
    if (isQueued(reply)) this.#removeWith(connectionOf(reply.request.raw), request);
  }

  /** One listener for all queued requests of a connection. */
  #removeWith(connection: ClientConnection, request: OpenRequest): void {
    const known = this.#queued.get(connection);
    if (known !== undefined) return void known.add(request);
    const requests = new Set([request]);
    this.#queued.set(connection, requests);
    connection.once('close', () => {
      for (const queued of requests) this.#remove(queued);
    });
  }

  #remove(request: OpenRequest): void {
    if (request.at === -1) return;
    this.#queued.get(connectionOf(request.reply.request.raw))?.delete(request);
    const last = this.#requests.pop()!;
    if (last !== request) {
      this.#requests[request.at] = last;
      last.at = request.at;
    }
    request.at = -1;
    if (this.#requests.length === 0) this.#emptied?.();
  }

  /** Resolves when no request is open. */
  none(): Promise<void> {
    return new Promise((resolve) => {
      this.#emptied = resolve;
      if (this.#requests.length === 0) resolve();
    });
  }

  /** Ends requests whose body has not arrived: their handlers have not started, and their clients may never continue. */
  rejectUnfinished(): void {
    // All of them first: rejecting one may remove it.
    const unfinished = this.#requests.filter(({ reply }) => !hasArrived(reply.request));
    for (const { reply } of unfinished) rejectUnfinished(reply);
  }
}

/** Responds that this host accepts no more requests. */
export function rejectRequest(request: HostRequest, reply: OpenReply): void {
  reply.header('retry-after', '1');
  sendProblem(request, reply, problem('unavailable', detail));
}

/** Whether a response waits behind an earlier one of its connection. It emits nothing if the connection is lost before its turn. */
function isQueued({ raw, request }: OpenReply): boolean {
  return !isHttp2(request.raw) && raw.socket === null;
}

function hasArrived({ raw }: OpenReply['request']): boolean {
  if (isHttp2(raw)) return raw.stream.destroyed || raw.stream.state.remoteClose === 1;
  // An injected request, which has no connection, lacks this property.
  return !('complete' in raw) || raw.complete;
}

function rejectUnfinished(reply: OpenReply): void {
  const { request, raw } = reply;
  if (isHttp2(request.raw)) {
    const { stream } = request.raw;
    // After the response an HTTP/2 stream waits for the rest of the body.
    stream.once('finish', () => stream.close());
  }
  if (reply.sent) {
    raw.destroy();
  } else if (request.raw.listenerCount('error') > 0) {
    // Fails the body for its reader, so that each transport responds in its own format.
    request.raw.emit('error', Object.assign(new Error(detail), { statusCode: 503 }));
  } else {
    if (!isHttp2(request.raw)) reply.header('connection', 'close');
    rejectRequest(request, reply);
  }
}

import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import { isHttp2, type NodeRawRequest } from '../client-connection.js';
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

/** The requests of a host without a complete response, or whose client has not read it yet. */
export class OpenRequests {
  readonly #replies = new Set<OpenReply>();
  #emptied: (() => void) | undefined;

  get size(): number {
    return this.#replies.size;
  }

  /** Requests whose response is incomplete. A complete response that its client does not read is not work of this host. */
  get unanswered(): number {
    let count = 0;
    for (const { raw } of this.#replies) if (!raw.writableEnded) count += 1;
    return count;
  }

  add(reply: OpenReply): void {
    this.#replies.add(reply);
    // Emitted after the response is sent, and when the client disconnects.
    reply.raw.once('close', () => {
      this.#replies.delete(reply);
      if (this.#replies.size === 0) this.#emptied?.();
    });
  }

  /** Resolves when no request is open. */
  none(): Promise<void> {
    return new Promise((resolve) => {
      this.#emptied = resolve;
      if (this.#replies.size === 0) resolve();
    });
  }

  /** Ends requests whose body has not arrived: their handlers have not started, and their clients may never continue. */
  rejectUnfinished(): void {
    for (const reply of this.#replies) if (!hasArrived(reply.request)) rejectUnfinished(reply);
  }
}

/** Responds that this host accepts no more requests. */
export function rejectRequest(request: HostRequest, reply: OpenReply): void {
  reply.header('retry-after', '1');
  sendProblem(request, reply, problem('unavailable', detail));
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

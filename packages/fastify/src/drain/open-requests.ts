import type { FastifyReply, FastifyRequest } from 'fastify';
import { isHttp2 } from '@svc/http';
import { problem, sendProblem } from '../problems/index.js';

const detail = 'This host is being taken out of service. Try again.';

/** The requests of a host that wait for their answer, or whose client has not taken it yet. */
export class OpenRequests {
  readonly #replies = new Set<FastifyReply>();
  #emptied: (() => void) | undefined;

  get size(): number {
    return this.#replies.size;
  }

  /** Requests whose answer is not complete. One that is complete and that its client does not read is no work of this host. */
  get unanswered(): number {
    let count = 0;
    for (const { raw } of this.#replies) if (!raw.writableEnded) count += 1;
    return count;
  }

  add(reply: FastifyReply): void {
    this.#replies.add(reply);
    // Comes after the answer is out, and also when the client goes away.
    reply.raw.once('close', () => {
      this.#replies.delete(reply);
      if (this.#replies.size === 0) this.#emptied?.();
    });
  }

  /** Resolves when there are none. */
  none(): Promise<void> {
    return new Promise((resolve) => {
      this.#emptied = resolve;
      if (this.#replies.size === 0) resolve();
    });
  }

  /** Ends requests whose body has not arrived: their handlers have not begun, and their clients may never go on. */
  rejectUnfinished(): void {
    for (const reply of this.#replies) if (!hasArrived(reply.request)) rejectUnfinished(reply);
  }
}

/** Answers that this host takes no more requests. */
export function rejectRequest(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('retry-after', '1');
  sendProblem(request, reply, problem('unavailable', detail));
}

function hasArrived({ raw }: FastifyRequest): boolean {
  if (isHttp2(raw)) return raw.stream.destroyed || raw.stream.state.remoteClose === 1;
  // A request that is injected, and came over no connection, has no such property.
  return !('complete' in raw) || raw.complete;
}

function rejectUnfinished(reply: FastifyReply): void {
  const { request, raw } = reply;
  if (isHttp2(request.raw)) {
    const { stream } = request.raw;
    // After its answer a stream waits for the rest of the body.
    stream.once('finish', () => stream.close());
  }
  if (reply.sent) {
    raw.destroy();
  } else if (request.raw.listenerCount('error') > 0) {
    // The body fails for its reader, so that each transport answers in its own form.
    request.raw.emit('error', Object.assign(new Error(detail), { statusCode: 503 }));
  } else {
    if (!isHttp2(request.raw)) reply.header('connection', 'close');
    rejectRequest(request, reply);
  }
}

import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';
import { DeferredSignal } from '@svc/core';

type RawRequest = IncomingMessage | Http2ServerRequest;

/** One request between its arrival and its answer: aborted when the client goes away before `end`. */
export interface Exchange extends DeferredSignal {
  /** The answer is known: from here on the client may leave without anybody noticing. */
  end(): void;
}

/**
 * Begins to watch the client of a request. A connection carries many requests one after another, and several at once when they
 * are pipelined, so each connection has one listener and a list of what is in flight, instead of a listener per request.
 */
export function beginExchange(request: RawRequest): Exchange {
  return isHttp2(request) ? new StreamExchange(request) : new ConnectionExchange(request.socket);
}

/** Whether nobody is left to answer. */
export function isGone(request: RawRequest): boolean {
  return isHttp2(request) ? request.stream.destroyed : request.socket.destroyed;
}

class ConnectionExchange extends DeferredSignal implements Exchange {
  readonly #inFlight: DeferredSignal[];

  constructor(socket: Socket) {
    super();
    this.#inFlight = inFlightOn(socket);
    this.#inFlight.push(this);
    if (socket.destroyed) this.abort();
  }

  end(): void {
    const inFlight = this.#inFlight;
    if (inFlight.at(-1) === this) inFlight.pop();
    else inFlight.splice(inFlight.indexOf(this), 1);
  }
}

/** With HTTP/2 each request has a stream of its own, which closes with it. */
class StreamExchange extends DeferredSignal implements Exchange {
  #ended = false;

  constructor({ stream }: Http2ServerRequest) {
    super();
    stream.once('close', () => {
      if (!this.#ended) this.abort();
    });
    if (stream.destroyed) this.abort();
  }

  end(): void {
    this.#ended = true;
  }
}

/** On the socket itself, which is found faster than in a map; an array, because most hold one entry or none. */
const requests = Symbol('requests in flight');

function inFlightOn(socket: Socket & { [requests]?: DeferredSignal[] }): DeferredSignal[] {
  const known = socket[requests];
  if (known !== undefined) return known;
  const inFlight: DeferredSignal[] = [];
  socket[requests] = inFlight;
  socket.once('close', () => {
    for (const exchange of inFlight) exchange.abort();
  });
  return inFlight;
}

function isHttp2(request: RawRequest): request is Http2ServerRequest {
  return request.httpVersionMajor === 2;
}

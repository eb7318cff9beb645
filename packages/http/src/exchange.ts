import { DeferredSignal } from '@svc/core/hosting';

/** What requests come over: a socket, or one stream of a connection that carries many. */
export interface ClientConnection {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** One request between its arrival and its answer: aborted when the client goes away before `end`. */
export interface Exchange extends DeferredSignal {
  /** The answer is known: from here on the client may leave without anybody noticing. */
  end(): void;
}

/**
 * Begins to watch the client of a request. A connection carries many requests one after another, and several at once when they
 * are pipelined, so each connection has one listener and a list of what is in flight, instead of a listener per request.
 */
export function beginExchange(connection: ClientConnection): Exchange {
  return new ConnectionExchange(connection);
}

class ConnectionExchange extends DeferredSignal implements Exchange {
  readonly #inFlight: DeferredSignal[];

  constructor(connection: ClientConnection) {
    super();
    this.#inFlight = inFlightOn(connection);
    this.#inFlight.push(this);
    if (connection.destroyed) this.abort();
  }

  end(): void {
    const inFlight = this.#inFlight;
    if (inFlight.at(-1) === this) inFlight.pop();
    else inFlight.splice(inFlight.indexOf(this), 1);
  }
}

/** On the connection itself, which is found faster than in a map; an array, because most hold one entry or none. */
const requests = Symbol('requests in flight');

function inFlightOn(connection: ClientConnection & { [requests]?: DeferredSignal[] }): DeferredSignal[] {
  const known = connection[requests];
  if (known !== undefined) return known;
  const inFlight: DeferredSignal[] = [];
  connection[requests] = inFlight;
  connection.once('close', () => {
    for (const exchange of inFlight) exchange.abort();
  });
  return inFlight;
}

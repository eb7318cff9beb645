import { createInterface } from 'node:readline';
import type { Socket } from 'node:net';
import { TimeHistogram } from '../metrics/time-histogram.js';
import { perEnvironment, type Environment, type PerEnvironment } from '../platform/index.js';
import type { RuntimeSocket } from './runtime-socket.js';
import { environmentOf } from './servers.js';

/** The ring buffer that gets one line per request: backend, server, status, milliseconds. */
export const requestRing = 'svc-requests';
export const requestFormat = '%b %s %ST %Ta';

/** HAProxy closes a connection after 10 s without output, and all connections when it ends. */
const againAfterMs = 250;

/** Follows the ring of requests. HAProxy's counters contain only averages; a percentile needs every request. */
export class RequestTimes {
  readonly #times: Record<Environment, TimeHistogram> = { blue: new TimeHistogram(), green: new TimeHistogram() };
  readonly #source: RuntimeSocket;
  readonly #backend: string;
  #socket: Socket;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(source: RuntimeSocket, backend: string) {
    this.#source = source;
    this.#backend = backend;
    this.#socket = this.#follow();
  }

  get p99(): PerEnvironment<number | null> {
    return perEnvironment((environment) => this.#times[environment].percentile(99));
  }

  close(): void {
    this.#isOver = true;
    this.#socket.destroy();
    clearTimeout(this.#timer);
  }

  #follow(): Socket {
    const socket = this.#source.open(`show events ${requestRing} -w -n`);
    const lines = createInterface({ input: socket });
    // Without the ring or HAProxy there are no times. Other problems show in the counters, so errors are ignored here.
    for (const source of [socket, lines]) source.on('error', () => {});
    lines.on('line', (line) => this.#add(line));
    socket.once('close', () => {
      if (this.#isOver) return;
      this.#timer = setTimeout(() => (this.#socket = this.#follow()), againAfterMs).unref();
    });
    return socket;
  }

  #add(line: string): void {
    const [backend, server = '', , time] = line.split(' ');
    const environment = environmentOf(server);
    if (backend === this.#backend && environment !== null) this.#times[environment].add(Number(time));
  }
}

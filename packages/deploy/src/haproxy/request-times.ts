import { createInterface } from 'node:readline';
import type { Socket } from 'node:net';
import { TimeHistogram } from '../metrics/time-histogram.js';
import { perEnvironment, type Environment, type PerEnvironment } from '../platform/index.js';
import type { RuntimeSocket } from './runtime-socket.js';
import { environmentOf } from './servers.js';

/** The ring buffer into which the rendered configuration writes a line per request: backend, server, status, milliseconds. */
export const requestRing = 'svc-requests';
export const requestFormat = '%b %s %ST %Ta';

/** Follows the ring of requests. HAProxy's counters know averages only; a percentile needs every request. */
export class RequestTimes {
  readonly #times: Record<Environment, TimeHistogram> = { blue: new TimeHistogram(), green: new TimeHistogram() };
  readonly #socket: Socket;

  constructor(socket: RuntimeSocket, backend: string) {
    this.#socket = socket.open(`show events ${requestRing} -w -n`);
    // Without the ring, or without HAProxy, there are no times; the counters say what else is wrong.
    this.#socket.on('error', () => {});
    createInterface({ input: this.#socket }).on('line', (line) => {
      const [lineBackend, server = '', , time] = line.split(' ');
      const environment = environmentOf(server);
      if (lineBackend === backend && environment !== null) this.#times[environment].add(Number(time));
    });
  }

  get p99(): PerEnvironment<number | null> {
    return perEnvironment((environment) => this.#times[environment].percentile(99));
  }

  close(): void {
    this.#socket.destroy();
  }
}

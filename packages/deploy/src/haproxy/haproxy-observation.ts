import type { Observation, TrafficSample } from '../metrics/observation.js';
import { perEnvironment, type PerEnvironment } from '../platform/index.js';
import { readCounters, type Counters } from './counters.js';
import { RequestTimes } from './request-times.js';
import type { RuntimeSocket } from './runtime-socket.js';

export async function observeHaproxy(socket: RuntimeSocket, backend: string): Promise<Observation> {
  const begin = await readCounters(socket, backend);
  return new HaproxyObservation(socket, backend, begin);
}

class HaproxyObservation implements Observation {
  readonly #socket: RuntimeSocket;
  readonly #backend: string;
  readonly #times: RequestTimes;
  #last: PerEnvironment<Counters>;
  #total: PerEnvironment<Counters> = perEnvironment(() => ({ requests: 0, errors: 0 }));

  constructor(socket: RuntimeSocket, backend: string, begin: PerEnvironment<Counters>) {
    this.#socket = socket;
    this.#backend = backend;
    this.#last = begin;
    this.#times = new RequestTimes(socket, backend);
  }

  async read(): Promise<PerEnvironment<TrafficSample>> {
    const now = await readCounters(this.#socket, this.#backend);
    const last = this.#last;
    this.#total = perEnvironment((environment) => added(this.#total[environment], last[environment], now[environment]));
    this.#last = now;
    const { p99 } = this.#times;
    return perEnvironment((environment) => ({ ...this.#total[environment], p99: p99[environment] }));
  }

  close(): void {
    this.#times.close();
  }
}

/** Counters restart at 0 with HAProxy. All they show after a restart is new. */
function added(total: Counters, last: Counters, now: Counters): Counters {
  const from = now.requests < last.requests ? { requests: 0, errors: 0 } : last;
  return {
    requests: total.requests + now.requests - from.requests,
    errors: total.errors + Math.max(0, now.errors - from.errors),
  };
}

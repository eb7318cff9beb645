import { Socket } from 'node:net';

/**
 * The sockets of a host's connections. A server that the network has cut off answers nothing, not even a goodbye: what it does not close
 * is closed here, so that nobody waits for it and no process is kept alive by it.
 */
export class Sockets {
  readonly #open = new Set<Socket>();

  /** For the configuration of connections. */
  readonly make = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  };

  /** Resolves when `ending` has ended all connections. What has not ended after some time is cut, also what was made meanwhile. */
  async endedBy(ending: Promise<unknown>, patienceMs: number): Promise<void> {
    const cutting = setInterval(() => {
      for (const socket of this.#open) socket.destroy();
    }, patienceMs);
    try {
      await ending;
      await Promise.all(Array.from(this.#open, closed));
    } finally {
      clearInterval(cutting);
    }
  }
}

/** With an error or without. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

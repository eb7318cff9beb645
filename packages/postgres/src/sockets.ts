import { Socket } from 'node:net';

/**
 * The sockets of a host's connections. A server that is unreachable does not answer the end of a connection. This class closes such
 * sockets, so that they do not prevent the process from ending.
 */
export class Sockets {
  readonly #open = new Set<Socket>();

  /** Creates a socket. The option `stream` of a connection. */
  readonly make = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  };

  /** Resolves when `ending` has ended all connections. Destroys the sockets that are open after `patienceMs`, including new ones. */
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

/** Resolves when the socket has closed, with or without an error. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

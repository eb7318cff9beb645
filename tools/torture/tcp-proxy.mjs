import { connect, createServer } from 'node:net';

/** Stands between hosts and a server, and can take the network away. */
export class TcpProxy {
  #server;
  #sockets = new Set();
  /** Those of the server. */
  #answering = new Set();
  #isDown = false;
  /** How many connections were ever made through it. */
  connections = 0;

  constructor(targetPort) {
    this.#server = createServer((client) => {
      if (this.#isDown) {
        client.destroy();
        return;
      }
      this.connections++;
      const target = connect({ host: '127.0.0.1', port: targetPort });
      this.#answering.add(target);
      const directions = [
        [client, target],
        [target, client],
      ];
      for (const [from, to] of directions) {
        this.#sockets.add(from);
        from.on('error', () => {});
        from.on('close', () => {
          this.#sockets.delete(from);
          this.#answering.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    });
  }

  static async to(targetPort) {
    const proxy = new TcpProxy(targetPort);
    await new Promise((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The URL of a server, as one reaches it through here. */
  through(url) {
    const changed = new URL(url);
    changed.port = String(this.#server.address().port);
    return changed.href;
  }

  /** Cuts every connection; new ones are let through. */
  cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Drops what the server answers, and still passes on what it receives: it has done what callers do not get to know. */
  loseAnswers() {
    for (const socket of this.#answering) socket.unpipe().resume();
  }

  /** Carries nothing more over the connections that there are, and tells no side. */
  freeze() {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** Cuts every connection and lets no new one through. */
  takeDown() {
    this.#isDown = true;
    this.cut();
  }

  bringUp() {
    this.#isDown = false;
  }

  async close() {
    this.takeDown();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands between hosts and a server, and can take the network away. */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isDown = false;
  /** How many connections were ever made through it. */
  connections = 0;

  private constructor(targetPort: number) {
    this.#server = createServer((client) => {
      if (this.#isDown) {
        client.destroy();
        return;
      }
      this.connections++;
      const target = connect({ host: '127.0.0.1', port: targetPort });
      for (const [from, to] of [
        [client, target],
        [target, client],
      ] as const) {
        this.#sockets.add(from);
        from.on('error', () => {});
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    });
  }

  static async to(targetPort: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(targetPort);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The URL of a server, as one reaches it through here. */
  through(url: string): string {
    const changed = new URL(url);
    changed.port = String((this.#server.address() as AddressInfo).port);
    return changed.href;
  }

  /** Cuts every connection; new ones are let through. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Carries nothing more over the connections that are there, and tells nobody. */
  freeze(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** Cuts every connection and lets no new one through. */
  takeDown(): void {
    this.#isDown = true;
    this.cut();
  }

  bringUp(): void {
    this.#isDown = false;
  }

  async close(): Promise<void> {
    this.takeDown();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

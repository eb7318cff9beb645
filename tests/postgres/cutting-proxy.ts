import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a host and its database, and cuts connections for good. */
export interface CuttingProxy {
  /** The URL of the database, through the proxy. */
  readonly url: string;
  /**
   * From now on what is asked reaches the server and no answer comes back: each connection is cut when the server answers, and new
   * ones are refused, until `restore`.
   */
  cutAnswers(): void;
  /** From now on nothing passes over the connections that there are, and nobody is told: as when a network forgets them. */
  silence(): void;
  /** The same for all that are made from now on, until `restore`. */
  silenceAll(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function cuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isSilent = false;
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    if (isSilent) return void sockets.add(client.pause().on('error', () => {}));
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (data) => upstream.write(data));
    upstream.on('data', (data) => (isCut ? client.destroy() : client.write(data)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const silence = (): void => {
    for (const socket of sockets) socket.pause();
  };
  return {
    url: url.href,
    cutAnswers: () => void (isCut = true),
    silence,
    silenceAll() {
      isSilent = true;
      silence();
    },
    restore() {
      isCut = false;
      isSilent = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

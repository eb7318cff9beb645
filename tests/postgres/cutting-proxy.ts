import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a host and its database, and cuts connections for good. */
export interface CuttingProxy {
  /** The URL of the database, through the proxy. */
  readonly url: string;
  /**
   * From now on what is asked reaches the server and no answer comes back: each connection is cut when the server answers, and new
   * ones are refused, until `mend`.
   */
  cutAnswers(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function cuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
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
  return {
    url: url.href,
    cutAnswers: () => void (isCut = true),
    mend: () => void (isCut = false),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

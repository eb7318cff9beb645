import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from '@svc/core';
import { HostDrain, type DrainOptions } from '../drain/index.js';
import { HostApi } from '../host-api.js';
import type { HostOptions } from '../host-options.js';
import { clientLimits, type ServerLimitOptions } from '../server-limits.js';
import { nodeHandlerOf } from './node-handler.js';

/** The options of `serve`. */
export interface ServeOptions extends HostOptions {
  /** Default: 3000. 0 uses a free port. */
  readonly port?: number;
  /** The address to listen on. Default: `127.0.0.1`, this machine only; `0.0.0.0` in a container. */
  readonly host?: string;
  /** The time limits for slow and silent clients. */
  readonly limits?: ServerLimitOptions;
  /** The time limits of the drain. */
  readonly drain?: DrainOptions;
}

/** A service that listens. */
export interface ServedHost {
  readonly server: Server;
  /** The address with its port: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Stops it without losing a request: `drainOnSignals(host.drain)`. */
  readonly drain: HostDrain;
  /** Drains without the notice to load balancers, then stops the service and the server. */
  stop(): Promise<void>;
}

/** Serves a service on `node:http`: `const host = await serve(service, { port: 3000 })`. It starts the service, and stops it if it cannot listen. */
export async function serve<TServices extends object>(
  service: Service<TServices>,
  options: ServeOptions = {},
): Promise<ServedHost> {
  const { port = 3000, host = '127.0.0.1' } = options;
  const { headersMs, requestMs, checkMs, keepAliveMs, idleMs } = clientLimits(options.limits ?? {});
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: keepAliveMs,
  });
  server.setTimeout(idleMs);
  const drain = new HostDrain({ server, close: () => closed(server) }, service, options.drain);
  server.on('request', nodeHandlerOf(await HostApi.start(service, options), options, drain));
  try {
    await listening(server, port, host);
  } catch (error) {
    // Otherwise its background work would prevent the process from ending.
    await service.stop();
    throw error;
  }
  const { address, family, port: used } = server.address() as AddressInfo;
  return {
    server,
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${used}`,
    drain,
    stop: async () => void (await drain.drain(0)),
  };
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

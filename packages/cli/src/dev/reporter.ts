/**
 * Runs in the process of the service before its own modules (`node --import`). Loads the packages of svc, waits until `svc dev` starts the service,
 * reports requests and events, and stops the service when `svc dev` is gone. It observes the channels of Node and svc, so it works with every host.
 */
import { once } from 'node:events';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { loadPackages } from './load-packages.js';
import { ownUserAgent, type Activity, type ServiceMessage } from './messages.js';

const mostEntries = 100;
const flushMs = 50;
const stopMs = 3000;

const send = (message: ServiceMessage): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
};

let entries: Activity[] = [];
let omitted = 0;
let timer: NodeJS.Timeout | undefined;

function report(entry: Activity): void {
  if (entries.length < mostEntries) entries.push(entry);
  else omitted++;
  timer ??= setTimeout(flush, flushMs).unref();
}

function flush(): void {
  send({ kind: 'activity', entries, omitted });
  timer = undefined;
  entries = [];
  omitted = 0;
}

const begun = new WeakMap<IncomingMessage, { readonly path: string; readonly at: number }>();

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  if (request.headers['user-agent'] === ownUserAgent) return;
  const [path = '/'] = (request.url ?? '/').split('?');
  begun.set(request, { path: path.slice(0, 200), at: performance.now() });
});

subscribe('http.server.response.finish', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const start = begun.get(request);
  if (start === undefined) return;
  const { method = 'GET' } = request;
  const ms = Math.round(performance.now() - start.at);
  report({ kind: 'request', method, path: start.path, status: response.statusCode, ms });
});

subscribe('svc.events.appended', (message) => {
  const { events } = message as { events: readonly { type: string; streamId: string }[] };
  for (const { type, streamId } of events) report({ kind: 'event', type, streamId });
});

subscribe('tracing:net.server.listen:asyncEnd', (message) => {
  const { server } = message as { server: Server };
  const address = server.address();
  if (address === null || typeof address === 'string' || server.listenerCount('request') === 0) return;
  send({ kind: 'listening', url: urlOf(address, server instanceof TlsServer) });
});

function urlOf({ address, family, port }: AddressInfo, isSecure: boolean): string {
  // A browser cannot open the address that stands for all addresses.
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `${isSecure ? 'https' : 'http'}://${host}:${port}`;
}

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), stopMs).unref();
  process.kill(process.pid, 'SIGTERM');
});

const started = once(process, 'message');
await loadPackages(process.cwd());
await started;
// Only the service decides how long its process runs.
process.channel?.unref();

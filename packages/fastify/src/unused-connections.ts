import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const watched = new WeakSet<object>();

/** How often a closing host closes connections whose last request was answered in the meantime. */
const checkMs = 100;

/**
 * Closes connections without a request when a host closes. Browsers and load balancers open some in advance, which Node does not count as idle. Others
 * have answered their last request after the host began to close. A host would wait for both for a minute.
 */
export function closeUnusedConnections(root: FastifyInstance): void {
  const { server } = root;
  // Several services of one host share it.
  if (watched.has(server)) return;
  watched.add(server);
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  root.addHook('preClose', (done) => {
    // A connection that has sent something has a request, perhaps one that is still arriving.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    // A server of HTTP/2 has no such function, and closes its sessions itself.
    const timer = server.listening ? setInterval(() => server.closeIdleConnections?.(), checkMs).unref() : undefined;
    server.once('close', () => clearInterval(timer));
    done();
  });
}

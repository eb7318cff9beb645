/** Ports for servers that tests start, stop, and start again at the same port. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that operating systems give to outgoing connections. While a server is stopped, a client that tries to reach it could get its
 * port as that of its own end, and the server could not start again.
 */
const [first, end] = [15_000, 32_000];

/** A port of the loopback address that was free a moment ago. */
export async function freePort() {
  const [port] = await freePorts(1);
  return port;
}

/** The same for several ports, all different. */
export async function freePorts(count) {
  const servers = [];
  try {
    while (servers.length < count) {
      const server = await listening(randomInt(first, end));
      if (server !== null) servers.push(server);
    }
    return servers.map((server) => server.address().port);
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/** Null: the port is not free. */
async function listening(port) {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (error.code === 'EADDRINUSE' || error.code === 'EACCES') return null;
    throw error;
  }
}

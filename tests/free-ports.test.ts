/** The ports of servers that tests stop and start again. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort, freePorts } from '../tools/ports/index.mjs';

it('are different, and free', async () => {
  const ports = await freePorts(50);
  expect(new Set(ports).size).toBe(50);
  const servers = await Promise.all(
    ports.map(
      (port) =>
        new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
          const server = createServer();
          server.once('error', reject);
          server.listen(port, '127.0.0.1', () => resolve(server));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

it.runIf(process.platform === 'linux')('are never those of outgoing connections', async () => {
  const range = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/).map(Number);
  for (const port of [await freePort(), ...(await freePorts(20))]) expect(port).toBeLessThan(range[0]!);
});

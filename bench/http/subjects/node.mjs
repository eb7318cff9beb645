/** The upper limit: the cost of Node itself, with a parsed body and a written response. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../../lib/port-of.mjs';

export async function listen() {
  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const order = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const found = request.method === 'POST' && request.url === '/orders' && order.lineItems.length > 0;
      const text = JSON.stringify(found ? { orderId: randomUUID() } : { error: 'not found' });
      response.writeHead(found ? 200 : 404, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}

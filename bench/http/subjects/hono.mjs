/** Hono on its server for Node, with its own JSON parser. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { portOf } from '../../lib/port-of.mjs';

export async function listen() {
  const app = new Hono();
  app.post('/orders', async (context) => {
    await context.req.json();
    return context.json({ orderId: randomUUID() });
  });
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  if (!server.listening) await once(server, 'listening');
  return portOf(server);
}

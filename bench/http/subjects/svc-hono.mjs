/** The service of svc as a `fetch` handler in Hono. */
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { fetchHandler } from '@svc/http';
import { Hono } from 'hono';
import { portOf } from '../../lib/port-of.mjs';
import { createOrders } from '../svc/dist/index.js';

export async function listen() {
  const app = new Hono();
  const handler = await fetchHandler(createOrders());
  app.all('*', ({ req }) => handler(req.raw));
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  if (!server.listening) await once(server, 'listening');
  return portOf(server);
}

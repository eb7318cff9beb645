/** Express with its own JSON parser. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import express from 'express';
import { portOf } from '../../lib/port-of.mjs';

export async function listen() {
  const app = express();
  app.use(express.json());
  app.post('/orders', (_request, response) => {
    response.json({ orderId: randomUUID() });
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}

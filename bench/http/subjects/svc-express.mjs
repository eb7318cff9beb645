/** The service of svc in Express. */
import { once } from 'node:events';
import { nodeHandler } from '@svc/http';
import express from 'express';
import { portOf } from '../../lib/port-of.mjs';
import { createOrders } from '../svc/dist/index.js';

export async function listen() {
  const app = express();
  app.use(await nodeHandler(createOrders()));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}

/** The service of svc on `node:http`. */
import { serve } from '@svc/http';
import { portOf } from '../../lib/port-of.mjs';
import { createOrders } from '../svc/dist/index.js';

export async function listen() {
  const { server } = await serve(createOrders(), { port: 0 });
  return portOf(server);
}

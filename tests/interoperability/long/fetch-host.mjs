/** The service of examples/orders as the `fetch` of Bun or the handler of Deno. Prints its port, and ends with its standard input. */
import { ordersHandler } from './orders-handler.mjs';

const fetch = await ordersHandler('/api');
const { Bun, Deno } = globalThis;
const address = { hostname: '127.0.0.1', port: 0 };
const port =
  Bun === undefined
    ? Deno.serve({ ...address, onListen() {} }, fetch).addr.port
    : Bun.serve({ ...address, fetch }).port;
process.stdout.write(`${port}\n`);
process.stdin.on('end', () => process.exit(0)).resume();

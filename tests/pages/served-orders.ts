/** The service of examples/orders with API keys and tokens, on a host and under a prefix. */
import { jwtAuthentication, signToken } from '@svc/http';
import { graphQL } from '@svc/graphql';
import { hosts } from '../http-hosts/hosts.js';
import { apiKeys, ordersService } from '../http-hosts/orders.js';

interface Place {
  readonly host: 'Fastify' | 'node:http';
  readonly prefix: string;
}

/** A page takes seconds of processor time to load: the suite uses one place, and `SVC_TEST_BROWSER=all` all. */
const otherPlaces: readonly Place[] =
  process.env['SVC_TEST_BROWSER'] === 'all' ? [{ host: 'node:http', prefix: '' }] : [];

/** The hosts and prefixes on which the pages are tested. */
export const places: readonly Place[] = [{ host: 'Fastify', prefix: '/shop/api' }, ...otherPlaces];

export interface ServedOrders {
  /** The address of the service with its prefix. */
  readonly url: string;
  /** The number of clients of its live queries. */
  readonly watches: number;
  stop(): Promise<void>;
}

const [issuer, audience, secret] = ['https://login.example', 'orders', 'a secret of at least 32 characters'];

export async function serveOrders({ host, prefix }: Place): Promise<ServedOrders> {
  const orders = await ordersService(apiKeys, jwtAuthentication({ issuer, audience, secret }));
  const { start } = hosts.find(({ name }) => name === host)!;
  const { port, stop } = await start(orders, [], { prefix, graphql: graphQL({ development: true }) });
  const url = `http://127.0.0.1:${port}${prefix}`;
  return {
    url,
    get watches() {
      return orders.service.watches;
    },
    stop,
  };
}

/** A token of a caller who may place orders. */
export function writerToken(): Promise<string> {
  const permissions = ['orders:write', 'orders:read'];
  return signToken({ user: 'writer', tenant: 'north', permissions }, { secret, issuer, audience });
}

/** graphql-yoga with its defaults on node:http, with its caches of parsed and validated documents. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { portOf } from '../../lib/port-of.mjs';
import { sdl } from '../sdl.mjs';

export async function listen() {
  const resolvers = { Mutation: { createOrder: async () => ({ orderId: randomUUID() }) } };
  const yoga = createYoga({ schema: createSchema({ typeDefs: sdl, resolvers }), logging: false });
  const server = createServer((request, response) => void yoga(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}

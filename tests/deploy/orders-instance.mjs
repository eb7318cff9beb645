/**
 * One version of examples/orders in a process of its own: `node orders-instance.mjs <version>`. A version that starts with `bad`
 * fails every fifth command, as a broken release would.
 */
import { drainOnSignals } from '@svc/fastify';
import { createHost } from '../../examples/orders/dist/host.js';

const [, , version = ''] = process.argv;
const { HOST, PORT, DRAIN_NOTICE_MS = '100' } = process.env;
const { app, drain } = await createHost({}, { drain: { noticeMs: Number(DRAIN_NOTICE_MS), limitMs: 20_000 } });

let commands = 0;
app.addHook('onRequest', (request, reply, done) => {
  reply.header('x-orders-version', version);
  if (request.method !== 'POST') return done();
  commands += 1;
  if (version.startsWith('bad') && commands % 5 === 0) return void reply.code(500).send({ broken: true });
  done();
});
drainOnSignals(drain);
await app.listen({ host: HOST, port: Number(PORT) });

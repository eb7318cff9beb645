/** A host in a separate process: `node host.mjs <target> <subject>`. It serves reservations and counts those of a show. */
import { svc } from '@svc/fastify';
import { portOf } from '../lib/port-of.mjs';
import { Fastify } from '../lib/repository-fastify.mjs';
import { startTheater } from '../lib/theater-service.mjs';

process.env['NODE_ENV'] = 'production';
process.on('disconnect', () => process.exit(1));
const [, , target = '', subject = ''] = process.argv;
const service = await startTheater(target, subject);
const app = Fastify();
await app.register(svc(service));
await app.listen({ host: '127.0.0.1', port: 0 });

process.on('message', (/** @type {{ showId: import('@svc/core').Uuid }} */ { showId }) => {
  void service.eventStore.lastPosition(showId).then((last) => process.send?.({ kind: 'counted', seats: last + 1 }));
});
process.send?.({ kind: 'ready', port: portOf(app.server) });

/** A host that sends one event as a webhook: `node webhook-host.mjs <url> <secret>`. Prints why it failed, and ends when its input ends. */
import { createService, InMemoryStorage, newId, SystemEventStream } from '@svc/core';
import { wrap } from '@svc/core/testing';
import { webhook } from '@svc/http';

class Shipped {}

const [, , url, secret] = process.argv;
const registry = {
  messages: [
    { type: 'shop.Shipped', kind: 'event', class: Shipped, read: () => new Shipped(), write: () => '{"parcel":"ü"}' },
  ],
  receptors: [],
  endpoints: [],
  openapi: { paths: {}, components: { schemas: {} } },
};
const service = createService(registry)
  .useStorage(new InMemoryStorage())
  .addSystemEventAuditing((system) => system.enableAll())
  .addReaction(
    webhook({
      name: 'partner',
      url,
      secret,
      events: [Shipped],
      tenantId: null,
      from: 'now',
      retry: { attempts: 2, firstDelayMs: 1 },
      allowPrivateAddresses: true,
    }),
  )
  .start();
await service.ready();
await service.eventStore.append(newId(), wrap('shop.Shipped', new Shipped()));
const timer = setInterval(async () => {
  for await (const { envelope } of service.eventStore.readStream(SystemEventStream.streamId)) {
    if (envelope.type === 'svc.ReactionFailed') process.stdout.write(`${envelope.payload.errorMessage}\n`);
  }
}, 200);
process.stdin.resume().once('end', () => {
  clearInterval(timer);
  void service.stop();
});

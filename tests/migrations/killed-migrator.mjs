/**
 * A service with one perspective, of any version: `node killed-migrator.mjs <storage> <where>`, with settings as JSON to read. It
 * appends the events it is told to, waits until its perspective is what it should be, and ends; or is killed before.
 */
import { text } from 'node:stream/consumers';
import { createService, newId, perspective } from '@svc/core';
import { wrap } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';

const [, , kind, where] = process.argv;
const { columns, version, appends, isSlow } = JSON.parse(await text(process.stdin));
const migrations = { batchSize: isSlow ? 2 : 1_000 };
const storage =
  kind === 'sqlite'
    ? sqlite({ file: where, migrations })
    : postgres({ url: where, migrations, connectTimeoutMs: 60_000 });

class Counted {
  amount = 0;
}
class Counts {
  apply(model, { amount }) {
    if (isSlow && version > 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return { count: (model?.count ?? 0) + 1, sum: (model?.sum ?? 0) + amount, by: version };
  }
}
perspective({ version })(Counts);

const service = createService({
  messages: [
    {
      type: 'trial.Counted',
      kind: 'event',
      class: Counted,
      read: (value) => Object.assign(new Counted(), value),
      write: JSON.stringify,
    },
  ],
  receptors: [],
  endpoints: [],
  perspectives: [
    {
      name: 'Counts',
      class: Counts,
      events: [Counted],
      columns,
      readModel: (value) => value,
      writeModel: JSON.stringify,
      create: () => new Counts(),
    },
  ],
  openapi: { paths: {}, components: { schemas: {} } },
})
  .useStorage(storage)
  .addServicePerspectives()
  .start();
await service.ready();
const envelopes = appends.map(([streamId, amount]) =>
  wrap('trial.Counted', Object.assign(new Counted(), { amount }), { id: newId(), streamId }),
);
await Promise.all(envelopes.map((envelope) => service.eventStore.append(envelope.streamId, envelope)));
process.stdout.write('open\n');
await storage.migrations.idle();
// The lease of a host that was killed has to run out first.
for (const { id } of envelopes.slice(-2)) await service.lens(Counts).waitFor(id, { timeoutMs: 20_000 });
await service.idle();
process.stdout.write('done\n');
await service.stop();

/** A host with live queries, until it is killed: `node live-host.mjs <file or URL> <port>`. Models count the events of their stream. */
import { createService, perspective } from '@svc/core';
import { graphQL } from '@svc/graphql';
import { serve } from '@svc/http';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { Counted, messages } from './counted.mjs';

class Counters {
  apply(model) {
    return { n: (model?.n ?? 0) + 1 };
  }
}
perspective({ route: '/counters', graphQLListQuery: 'counters' })(Counters);

const sdl = `
  type Query { counters(pageSize: Int): Page }
  type Page { items: [Counter!]! }
  type Subscription { counters(pageSize: Int, since: String): LiveList }
  type LiveList { place: String keys: [ID!]! changed: [LiveModel!]! }
  type LiveModel { key: ID! model: Counter! }
  type Counter { n: Int! }
`;

const [, , database, port] = process.argv;
const leaseMs = 1000;
const storage = database.startsWith('postgres:')
  ? postgres({ url: database, leaseMs })
  : sqlite({ file: database, leaseMs });
const service = createService({
  messages,
  receptors: [],
  endpoints: [],
  perspectives: [
    {
      name: Counters.name,
      class: Counters,
      events: [Counted],
      readModel: (value) => value,
      writeModel: JSON.stringify,
      create: () => new Counters(),
    },
  ],
  openapi: { paths: {}, components: { schemas: {} } },
  graphql: { sdl, inputs: {}, fields: {}, unions: {} },
})
  .useStorage(storage)
  .addServicePerspectives()
  .reportTo(() => {});
const options = { port: Number(port), live: { perCaller: 10_000 }, graphql: graphQL() };
const { url } = await serve(service, options);
process.stdout.write(`${url}\n`);

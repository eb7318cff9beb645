/** Relay against the served schema: its compiler accepts the documents of a client, and its runtime sends them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildClientSchema, getIntrospectionQuery, printSchema, type IntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHost, type OrdersHost } from '../../../examples/orders/src/host.js';
import { order } from '../../../examples/orders/src/testing/secured-orders.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const installed = fileURLToPath(new URL('node_modules', import.meta.url));

const documents = (field: string): string => `
import { graphql } from 'relay-runtime';

graphql\`
  fragment client_order on OrderSummary {
    orderId
    ${field}
  }
\`;

graphql\`
  query clientOrdersQuery($pageSize: Int!) {
    orders(pageSize: $pageSize) {
      items {
        ...client_order
      }
    }
  }
\`;

graphql\`
  mutation clientCreateMutation($command: CreateOrderInput!) {
    createOrder(command: $command) {
      orderId
    }
  }
\`;
`;

/** What an application does: it creates an order, and reads the list into the store. */
const program = `
import runtime from '${pathToFileURL(join(installed, 'relay-runtime/index.js')).href}';
import create from './__generated__/clientCreateMutation.graphql.js';
import orders from './__generated__/clientOrdersQuery.graphql.js';

const { commitMutation, Environment, fetchQuery, Network, RecordSource, Store } = runtime;

export function client(url) {
  const send = async ({ text }, variables) => {
    const body = JSON.stringify({ query: text, variables });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return await response.json();
  };
  const source = new RecordSource();
  const environment = new Environment({ network: Network.create(send), store: new Store(source) });
  const variablesOf = (command) => ({ mutation: create, variables: { command } });
  return {
    create: (command) =>
      new Promise((onCompleted, onError) => commitMutation(environment, { ...variablesOf(command), onCompleted, onError })),
    stored: async () => {
      await fetchQuery(environment, orders, { pageSize: 10 }).toPromise();
      return Object.values(source.toJSON()).filter(({ __typename }) => __typename === 'OrderSummary');
    },
  };
}
`;

interface Client {
  create(command: unknown): Promise<{ readonly createOrder: { readonly orderId: string } }>;
  stored(): Promise<readonly { readonly orderId: string; readonly status: string }[]>;
}

describe('Relay', () => {
  let host: OrdersHost;
  let url: string;
  let folder: string;
  beforeAll(async () => {
    host = await createHost({ notifier: { notify: () => Promise.resolve() } });
    url = `${await host.app.listen({ host: '127.0.0.1', port: 0 })}/graphql`;
    mkdirSync(join(root, '.cache'), { recursive: true });
    folder = mkdtempSync(join(root, '.cache', 'relay-'));
    const body = JSON.stringify({ query: getIntrospectionQuery() });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { data } = (await response.json()) as { readonly data: IntrospectionQuery };
    writeFileSync(join(folder, 'schema.graphql'), printSchema(buildClientSchema(data)));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    mkdirSync(join(folder, '__generated__'));
    const config = { src: '.', schema: 'schema.graphql', language: 'javascript', artifactDirectory: '__generated__' };
    writeFileSync(join(folder, 'relay.config.json'), JSON.stringify({ ...config, eagerEsModules: true }));
  });
  afterAll(async () => {
    await host.app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function compile(field: string): readonly [number | null, string] {
    writeFileSync(join(folder, 'client.js'), documents(field));
    const cli = join(installed, 'relay-compiler/cli.js');
    const options = { cwd: folder, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'relay.config.json'], options);
    return [status, stdout + stderr];
  }

  it('rejects a document that does not match the schema', () => {
    const [status, output] = compile('unknownField');
    expect([status, output]).toEqual([1, expect.stringContaining('unknownField')]);
  });

  it('sends the compiled documents, and stores what it receives', async () => {
    expect(compile('status')).toEqual([0, expect.any(String)]);
    const file = join(folder, 'program.js');
    writeFileSync(file, program);
    const { client } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { client(url: string): Client };
    const application = client(url);
    const { createOrder } = await application.create(order);
    const { orderId } = createOrder;
    await expect
      .poll(() => application.stored(), { timeout: 30_000 })
      .toEqual([expect.objectContaining({ orderId, status: 'open' }) as object]);
  });
});

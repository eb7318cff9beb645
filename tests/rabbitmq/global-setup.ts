import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createNode, type RabbitMqNode } from '../../tools/rabbitmq/node.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the URL of the broker, and at `/users/<name>` for that of another broker user. */
    readonly rabbitMq: string;
  }
}

/**
 * The users of most tests, who may use everything. They are created together, with the first of them: each call of `rabbitmqctl` starts an
 * Erlang machine.
 */
const usualUsers = [
  'operator',
  'intruder',
  'orders',
  'billing',
  'sender',
  'receiver',
  'shared',
  'first',
  'second',
  'north',
  'north-2',
  'south',
];
const everything = '.*';

/**
 * The broker that `SVC_TEST_AMQP_URL` names, or a private one. Starting it takes seconds, so it waits until a test asks for it. Broker
 * users are always created on the private one: on another broker the suite may not.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['SVC_TEST_AMQP_URL'] ?? '';
  let node: Promise<RabbitMqNode> | null = null;
  const users = new Map<string, Promise<string>>();
  const privateNode = (): Promise<RabbitMqNode> => (node ??= createNode());

  function create(names: readonly string[], resources: string): void {
    const urls = privateNode().then((started) => createUsers(started, names, resources));
    for (const name of names) {
      users.set(
        name,
        urls.then((created) => created.get(name)!),
      );
    }
  }

  function urlFor(requested: string): Promise<string> {
    const { pathname, searchParams } = new URL(requested, 'http://localhost');
    const [, name] = /^\/users\/([\w-]+)$/.exec(pathname) ?? [];
    if (name === undefined) return given === '' ? privateNode().then(({ url }) => url) : Promise.resolve(given);
    const resources = searchParams.get('resources')!;
    const isUsual = resources === everything && usualUsers.includes(name);
    if (!users.has(name)) create(isUsual ? usualUsers : [name], resources);
    return users.get(name)!;
  }

  const server = createServer((request, response) => {
    urlFor(request.url ?? '/').then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('rabbitMq', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    await node?.then((started) => started.remove()).catch(() => {});
  };
}

/** Broker users with their own passwords, who may use the exchanges and queues whose names match, and their URLs. */
async function createUsers(
  node: RabbitMqNode,
  names: readonly string[],
  resources: string,
): Promise<ReadonlyMap<string, string>> {
  const users = names.map((name) => ({ name, password: randomBytes(16).toString('hex'), tags: [] }));
  const may = { vhost: '/', configure: resources, write: resources, read: resources };
  const folder = mkdtempSync(join(tmpdir(), 'svc-rabbitmq-users-'));
  const definitions = join(folder, 'definitions.json');
  writeFileSync(definitions, JSON.stringify({ users, permissions: names.map((user) => ({ user, ...may })) }));
  await node.control('import_definitions', definitions).finally(() => rmSync(folder, { recursive: true }));
  return new Map(
    users.map(({ name, password }) => {
      const url = new URL(node.url);
      url.username = name;
      url.password = password;
      return [name, url.href];
    }),
  );
}

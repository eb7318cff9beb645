import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { createNode, type RabbitMqNode } from '../../tools/rabbitmq/node.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the URL of the broker, and at `/users/<name>` for that of another broker user. */
    readonly rabbitMq: string;
  }
}

/**
 * The broker that `SVC_TEST_AMQP_URL` names, or a private one. Starting it takes seconds, so it waits until a test asks for it. Broker
 * users are always created on the private one: on another broker the suite may not.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['SVC_TEST_AMQP_URL'] ?? '';
  let node: Promise<RabbitMqNode> | null = null;
  const users = new Map<string, Promise<string>>();
  const privateNode = (): Promise<RabbitMqNode> => (node ??= createNode());

  function urlFor(asked: string): Promise<string> {
    const { pathname, searchParams } = new URL(asked, 'http://localhost');
    const [, name] = /^\/users\/([\w-]+)$/.exec(pathname) ?? [];
    if (name === undefined) return given === '' ? privateNode().then(({ url }) => url) : Promise.resolve(given);
    const known =
      users.get(name) ?? privateNode().then((started) => createUser(started, name, searchParams.get('resources')!));
    users.set(name, known);
    return known;
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

/** A broker user with its own password, which may use the exchanges and queues whose names match. */
async function createUser(node: RabbitMqNode, name: string, resources: string): Promise<string> {
  const password = randomBytes(16).toString('hex');
  await node.control('add_user', name, password);
  await node.control('set_permissions', name, resources, resources, resources);
  const url = new URL(node.url);
  url.username = name;
  url.password = password;
  return url.href;
}

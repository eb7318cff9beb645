import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { createNode, type RabbitMqNode } from '../../tools/rabbitmq/node.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the URL of the broker. */
    readonly rabbitMq: string;
  }
}

/** The broker that `SVC_TEST_AMQP_URL` names, or a private one. Starting it takes seconds, so it waits until a test asks for it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['SVC_TEST_AMQP_URL'] ?? '';
  let node: Promise<RabbitMqNode> | null = null;
  const server = createServer((_request, response) => {
    const url = given === '' ? (node ??= createNode()).then((started) => started.url) : Promise.resolve(given);
    url.then(
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

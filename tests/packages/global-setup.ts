import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { createRegistry, type PrivateRegistry } from '../../tools/registry/registry.mjs';
import { publishCheckout } from './publish-checkout.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the registry with the packages of this checkout. */
    readonly packageRegistry: string;
  }
}

/** Packing and publishing takes seconds, so it waits until a test asks for it, and is done once for all test files. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  let registry: Promise<PrivateRegistry> | null = null;
  let publishing: Promise<void> | null = null;
  const server = createServer((_request, response) => {
    registry ??= createRegistry();
    const filled = registry.then(async (created) => {
      await (publishing ??= publishCheckout(created));
      return created;
    });
    filled.then(
      ({ url, npmrc }) => response.end(JSON.stringify({ url, npmrc })),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('packageRegistry', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    await registry?.then((created) => created.remove()).catch(() => {});
  };
}

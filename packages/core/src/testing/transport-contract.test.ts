import { describe, expect, it } from 'vitest';
import { InProcessTransport, type PublishedMessage } from '../transport/index.js';
import type { IntrusionRoute } from './transport-case.js';
import { transportContract } from './transport-contract.js';

describe('the in-process transport', () => {
  it.each(transportContract)('$name', async ({ run }) => {
    const transport = new InProcessTransport();
    const broker = {
      open: (hostName: string) => Promise.resolve(transport.host(hostName)),
      // A connection that belongs to no host.
      intrude: (message: PublishedMessage, route?: IntrusionRoute) =>
        transport.publish([{ ...message, destination: route?.destination ?? message.destination }]),
      deadLetters: () =>
        Promise.resolve(transport.deadLetters.map(({ message: { id }, cause }) => ({ id, cause: cause.message }))),
    };
    await expect(run(broker)).resolves.toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { InProcessTransport } from '../transport/index.js';
import { transportContract } from './transport-contract.js';

describe('the in-process transport', () => {
  it.each(transportContract)('$name', async ({ run }) => {
    const transport = new InProcessTransport();
    const broker = {
      open: (hostName: string) => Promise.resolve(transport.host(hostName)),
      deadLetters: () =>
        Promise.resolve(transport.deadLetters.map(({ message: { id }, cause }) => ({ id, cause: cause.message }))),
    };
    await expect(run(broker)).resolves.toBeUndefined();
  });
});

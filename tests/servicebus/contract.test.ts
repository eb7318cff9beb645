import { brokerContract } from '@svc/core/testing';
import { describe, expect, it } from 'vitest';
import { DoubleBroker } from './double-broker.js';
import { RealNamespace } from './real-namespace.js';

describe('the Service Bus transport, against the test double', () => {
  it.each(brokerContract)('$name', async ({ run }) => {
    const broker = await DoubleBroker.start();
    try {
      await expect(run(broker)).resolves.toBeUndefined();
    } finally {
      await broker.stop();
    }
  });
});

const connectionString = process.env['SVC_TEST_SERVICEBUS'] ?? '';

describe.runIf(connectionString !== '')(
  'the Service Bus transport, against the namespace of SVC_TEST_SERVICEBUS',
  () => {
    it.each(brokerContract)(
      '$name',
      async ({ run }) => {
        const broker = new RealNamespace(connectionString);
        await broker.create();
        try {
          await expect(run(broker)).resolves.toBeUndefined();
        } finally {
          await broker.remove();
        }
      },
      120_000,
    );
  },
);

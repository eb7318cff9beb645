import { brokerContract } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokerUserUrl, TestBroker } from './test-broker.js';

let broker: TestBroker;

beforeEach(async () => {
  broker = new TestBroker(await brokerUserUrl('operator'));
});
afterEach(() => broker.close());

describe('the transport over RabbitMQ', () => {
  it.each(brokerContract)('$name', async ({ run }) => {
    await expect(run(broker)).resolves.toBeUndefined();
    expect(broker.reports).toEqual([]);
  });
});

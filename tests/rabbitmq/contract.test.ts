import { brokerContract } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokerUrl, TestBroker } from './test-broker.js';

let broker: TestBroker;

beforeEach(async () => {
  broker = new TestBroker(await brokerUrl());
});
afterEach(() => broker.close());

describe('the transport over RabbitMQ', () => {
  it.each(brokerContract)('$name', async ({ run }) => {
    await expect(run(broker)).resolves.toBeUndefined();
    expect(broker.reports).toEqual([]);
  });
});

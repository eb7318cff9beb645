import { describe, expect, it } from 'vitest';
import { rabbitMqTransport } from './rabbitmq-transport.js';

const plaintextRejected = expect.objectContaining({
  code: 'SVC_PLAINTEXT_REFUSED',
  message: expect.stringMatching(
    /^Cannot connect to RabbitMQ at \S+ without TLS.* use an amqps:\/\/ URL\..*pass allowPlaintext: true\.$/,
  ) as string,
}) as Error;
const open = (url: string, more: object = {}) => rabbitMqTransport({ url, hostName: 'orders', ...more });

describe('a remote broker', () => {
  it.each([
    'amqp://ann:hunter2@mq.example/shop',
    'amqp://ann@10.0.0.5:5672',
    'amqp://ann@[fd00::2]',
    'amqp://ann@127.0.0.1.example',
    'amqp://ann@127.1',
    'amqp://ann@local%68ost.example',
  ])('without TLS is rejected when the transport is constructed: %s', (url) => {
    expect(() => open(url)).toThrow(plaintextRejected);
    expect(() => open(url)).not.toThrow(/hunter2/);
  });

  it('is reached with TLS, or without it if that is allowed', () => {
    expect(() => open('amqps://ann@mq.example')).not.toThrow();
    expect(() => open('amqp://ann@mq.example', { allowPlaintext: true })).not.toThrow();
  });
});

describe('a broker on this machine', () => {
  it.each(['amqp://ann@localhost', 'amqp://ann@127.0.0.1:5673/shop', 'amqp://ann@[::1]'])('needs no TLS: %s', (url) =>
    expect(() => open(url)).not.toThrow(),
  );
});

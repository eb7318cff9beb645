/** Numbers in the options of storages and transports are checked when they are created, not when they are first used. */
import { postgres } from '@svc/postgres';
import { rabbitMqTransport } from '@svc/rabbitmq';
import { serviceBusTransport } from '@svc/servicebus';
import { sqlite } from '@svc/sqlite';
import { describe, expect, it } from 'vitest';

const postgresWith = (options: object) => postgres({ url: 'postgres://ann@127.0.0.1/orders', ...options });
const rabbitMqWith = (options: object) =>
  rabbitMqTransport({ url: 'amqp://127.0.0.1', hostName: 'orders', ...options });
const serviceBusWith = (options: object) =>
  serviceBusTransport({
    connectionString: 'Endpoint=sb://127.0.0.1;SharedAccessKeyName=a;SharedAccessKey=b;UseDevelopmentEmulator=true',
    hostName: 'orders',
    ...options,
  });

describe.each([
  ['postgres', postgresWith, 'SVC_STORAGE_MISCONFIGURED'],
  ['sqlite', sqlite, 'SVC_STORAGE_MISCONFIGURED'],
  ['rabbitMqTransport', rabbitMqWith, 'SVC_TRANSPORT_MISCONFIGURED'],
  ['serviceBusTransport', serviceBusWith, 'SVC_TRANSPORT_MISCONFIGURED'],
] as const)('%s', (name, create, code) => {
  const time = {
    postgres: 'leaseMs',
    sqlite: 'leaseMs',
    rabbitMqTransport: 'connectTimeoutMs',
    serviceBusTransport: 'timeoutMs',
  }[name];

  it.each([0, -1, 1.5, Number.NaN, Infinity, 2 ** 31, '5000'])('rejects a time of %s, with the range', (value) => {
    expect(() => create({ [time]: value })).toThrow(
      expect.objectContaining({
        code,
        message: `Cannot create ${name}: ${time} must be a whole number from 1 to 2147483647, not ${value}.`,
      }) as Error,
    );
  });
});

it.each([
  [postgresWith, { transactions: 0 }, 'transactions must be a whole number from 1 to 1000, not 0'],
  [postgresWith, { readers: 1001 }, 'readers must be a whole number from 1 to 1000, not 1001'],
  [postgresWith, { divideAfterMs: -1 }, 'divideAfterMs must be a whole number from 0 to 2147483647, not -1'],
  [rabbitMqWith, { prefetch: 65_536 }, 'prefetch must be a whole number from 1 to 65535, not 65536'],
  [rabbitMqWith, { deliveryLimit: 0 }, 'deliveryLimit must be a whole number from 1 to 1000000, not 0'],
  [rabbitMqWith, { heartbeat: 3601 }, 'heartbeat must be a whole number from 1 to 3600, not 3601'],
  [serviceBusWith, { commandsAtOnce: 0 }, 'commandsAtOnce must be a whole number from 1 to 65535, not 0'],
  [postgresWith, { migrations: { batchSize: 0 } }, 'batchSize must be a whole number from 1 to 2147483647, not 0'],
  [sqlite, { migrations: { lockWaitMs: 0.5 } }, 'lockWaitMs must be a whole number from 1 to 2147483647, not 0.5'],
])('%o rejects %o', (create, options, message) => {
  expect(() => create(options)).toThrow(message);
});

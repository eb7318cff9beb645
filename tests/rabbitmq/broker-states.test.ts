/** Tests that need a private broker: an alarm, certificates, limits. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen, numbered } from '@svc/core/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../tools/ports/index.mjs';
import { createNode, type RabbitMqNode } from '../../tools/rabbitmq/node.mjs';
import { remoteAddress, selfSigned } from '../tls/self-signed.js';
import { TestBroker } from './test-broker.js';

const folder = mkdtempSync(join(tmpdir(), 'svc-certificates-'));
/** An address under which the broker counts as remote. */
const address = remoteAddress();
const own = selfSigned('localhost', ...(address === null ? [] : [address]));
let node: RabbitMqNode;
let broker: TestBroker;
let tlsPort: number;
let plainPort: number;

beforeAll(async () => {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  writeFileSync(certificate, own.certificate);
  writeFileSync(key, own.key);
  tlsPort = await freePort();
  node = await createNode({
    'listeners.ssl.1': `127.0.0.1:${tlsPort}`,
    ...(address !== null && {
      'listeners.tcp.2': `${address}:${(plainPort = await freePort())}`,
      'listeners.ssl.2': `${address}:${tlsPort}`,
    }),
    'ssl_options.certfile': certificate,
    'ssl_options.keyfile': key,
    max_message_size: '500000',
    frame_max: '32768',
  });
}, 90_000);
afterAll(async () => {
  await node.remove();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  broker = new TestBroker(node.url);
});
afterEach(() => broker.close());

it('a broker short of memory accepts nothing, is reported, and still receives acknowledgements', async () => {
  const receiver = broker.transport('receiver');
  let hold = true;
  const { received, has, subscription } = await listen(receiver, () =>
    hold ? Promise.reject(new Error('not now')) : Promise.resolve([]),
  );
  const sender = broker.transport('sender', { publishTimeoutMs: 1_000 });
  await sender.publish(numbered(10));
  await node.control('set_vm_memory_high_watermark', 'absolute', '1');
  const rejected = expect.objectContaining({
    code: 'SVC_TRANSPORT_UNAVAILABLE',
    message: expect.stringContaining('short of memory or disk') as string,
  }) as Error;
  await expect(sender.publish(numbered(1))).rejects.toEqual(rejected);
  expect(await sender.connectivity!.check()).toEqual({
    status: 'Degraded',
    description: 'The broker accepts no messages: it is short of memory or disk.',
  });
  const started = performance.now();
  for (let i = 0; i < 1_000; i++) await expect(sender.publish(numbered(1))).rejects.toEqual(rejected);
  expect(performance.now() - started, 'nothing is written that would have to wait').toBeLessThan(5_000);
  hold = false;
  await has(10);
  await subscription.close();
  await node.control('set_vm_memory_high_watermark', '0.4');
  await expect.poll(async () => (await sender.connectivity!.check()).status, { timeout: 5_000 }).toBe('Healthy');
  await sender.publish(numbered(1));
  expect(received.length).toBe(10);
  expect(broker.reports).toEqual([]);
});

it('a message above the size limit of the broker is rejected by its id, and delays no other', async () => {
  const { received } = await listen(broker.transport('receiver'));
  const sender = broker.transport('sender');
  const body = `"${'x'.repeat(600_000)}"`;
  const messages = [...numbered(1), ...numbered(1, { body }), ...numbered(1)];
  await expect(sender.publish(messages)).rejects.toMatchObject({
    code: 'SVC_MESSAGE_REFUSED',
    reason: 'TooLarge',
    messageIds: [messages[1]!.id],
    message: expect.stringMatching(/600002 bytes; the limit of the broker is 500000/) as string,
  });
  await sender.publish([messages[0]!, messages[2]!]);
  // The first may have come twice.
  await expect
    .poll(() => new Set(received.map(({ id }) => id)), { timeout: 10_000 })
    .toEqual(new Set([messages[0]!.id, messages[2]!.id]));
  expect(broker.reports).toEqual([]);
});

it('headers that exceed a frame are rejected by the id of their message, before the broker closes the connection', async () => {
  const { received, has } = await listen(broker.transport('receiver'));
  const sender = broker.transport('sender');
  const scope = { tenantId: 'ß'.repeat(20_000) };
  const messages = [...numbered(1), ...numbered(1, { scope }), ...numbered(1)];
  await expect(sender.publish(messages)).rejects.toMatchObject({
    code: 'SVC_MESSAGE_REFUSED',
    reason: 'TooLarge',
    messageIds: [messages[1]!.id],
    message: expect.stringMatching(/headers.* 40\d{3} bytes.* limit is 30768/) as string,
  });
  await sender.publish([messages[0]!, messages[2]!]);
  await has(2);
  expect(received.map(({ id }) => id)).toEqual([messages[0]!.id, messages[2]!.id]);
  expect(broker.reports).toEqual([]);
});

it('amqps verifies the certificate of the broker with the given authorities', async () => {
  const url = new URL(node.url);
  url.protocol = 'amqps:';
  url.hostname = 'localhost';
  url.port = String(tlsPort);
  const tls = { ca: own.certificate };
  const trusting = broker.transport('trusting', { url: url.href, tls });
  const { received, has } = await listen(trusting);
  await trusting.publish(numbered(3));
  await has(3);
  expect(received).toHaveLength(3);
  const doubting = broker.transport('doubting', { url: url.href, publishTimeoutMs: 500 });
  await expect(doubting.publish(numbered(1))).rejects.toThrow(/self-signed certificate/);
});

it.skipIf(address === null)('a remote broker is reached with TLS, or without it if that is allowed', async () => {
  const url = (protocol: string, port: number): string => {
    const { username, password } = new URL(node.url);
    return `${protocol}://${username}:${password}@${address!}:${port}`;
  };
  const secured = broker.transport('secured', { url: url('amqps', tlsPort), tls: { ca: own.certificate } });
  const { received, has } = await listen(secured);
  const plain = url('amqp', plainPort);
  expect(() => broker.transport('plain', { url: plain })).toThrow(
    expect.objectContaining({ code: 'SVC_PLAINTEXT_REFUSED' }),
  );
  await broker.transport('plain', { url: plain, allowPlaintext: true }).publish(numbered(2));
  await has(2);
  expect(received).toHaveLength(2);
  const doubting = broker.transport('doubting', { url: url('amqps', tlsPort), publishTimeoutMs: 500 });
  await expect(doubting.publish(numbered(1))).rejects.toThrow(/self-signed certificate/);
});

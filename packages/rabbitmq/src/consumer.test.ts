import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect } from './connect.js';
import { Consumer, type QueueHandler } from './consumer.js';
import { Link } from './link.js';
import { settingsOf, type Settings } from './options.js';

/** Accepts connections and closes them, like a broker that shuts down. */
const server = createServer((socket: Socket) => socket.destroy());
let settings: Settings;
let link: Link;

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  settings = settingsOf({ url: `amqp://127.0.0.1:${port}`, hostName: 'host', report: () => {} });
  link = new Link(() => connect(settings, 'consuming'), settings.report);
});
afterEach(async () => {
  await link.close();
  await new Promise((resolve) => server.close(resolve));
});

const nothing: QueueHandler = {
  prefetch: 1,
  declare: () => Promise.resolve('queue'),
  processMessages: () => Promise.resolve(),
  finish: () => Promise.resolve(),
};

it('does not wait for a broker that disappeared before the start, and can be closed while it reconnects', async () => {
  let isClosed = false;
  const consumer = new Consumer(link, nothing, { report: () => {}, closed: () => (isClosed = true) });
  expect(await consumer.start()).toMatchObject({ code: 'SVC_TRANSPORT_UNAVAILABLE' });
  expect(consumer.isUp).toBe(false);
  await consumer.close();
  expect(isClosed).toBe(true);
});

import { connect } from 'amqplib';
import { batchSize, nextOutbound, prefetch, queueArguments, topic, type } from './messages.mjs';

/** @typedef {import('./messages.mjs').Place} Place */
/** @typedef {import('./measure.mjs').Subject} Subject */

/** @param {Place} place @returns {Promise<Subject>} */
export async function publish(place) {
  const { send } = await publisher(place);
  const run = async (/** @type {number} */ count) => {
    const started = performance.now();
    await send(count);
    return performance.now() - started;
  };
  return { prepare: () => Promise.resolve(), run };
}

/** @param {Place} place @returns {Promise<Subject>} */
export async function receive(place) {
  const { send, connection, queue } = await publisher(place);
  const channel = await connection.createChannel();
  await channel.prefetch(prefetch);
  const run = async (/** @type {number} */ count) => {
    const started = performance.now();
    let received = 0;
    let tag = '';
    await new Promise((resolve, reject) => {
      const take = (/** @type {import('amqplib').ConsumeMessage | null} */ message) => {
        if (message === null) return;
        if (++received % batchSize === 0 || received === count) channel.ack(message, true);
        if (received === count) resolve(undefined);
      };
      channel.consume(queue, take).then(({ consumerTag }) => (tag = consumerTag), reject);
    });
    const took = performance.now() - started;
    await channel.cancel(tag);
    return took;
  };
  return { prepare: send, run };
}

/** @param {Place} place */
async function publisher({ url, prefix }) {
  const connection = await connect(url);
  const channel = await connection.createConfirmChannel();
  const exchange = prefix + topic;
  const queue = `${prefix}bench`;
  await channel.assertExchange(exchange, 'topic');
  await channel.assertQueue(queue, { arguments: queueArguments });
  await channel.bindQueue(queue, exchange, type);
  const send = async (/** @type {number} */ count) => {
    for (let sent = 0; sent < count; sent += batchSize) {
      for (let i = 0; i < Math.min(batchSize, count - sent); i++) {
        const { content, ...options } = nextOutbound();
        channel.publish(exchange, type, content, { persistent: true, ...options });
      }
      await channel.waitForConfirms();
    }
  };
  return { send, connection, queue };
}

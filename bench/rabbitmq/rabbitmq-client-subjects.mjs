import { Connection } from 'rabbitmq-client';
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
  const channel = await connection.acquire();
  await channel.basicQos({ prefetchCount: prefetch });
  const run = async (/** @type {number} */ count) => {
    const started = performance.now();
    let received = 0;
    let tag = '';
    await new Promise((resolve, reject) => {
      const take = (/** @type {import('rabbitmq-client').AsyncMessage} */ { deliveryTag }) => {
        if (++received % batchSize === 0 || received === count) channel.basicAck({ deliveryTag, multiple: true });
        if (received === count) resolve(undefined);
      };
      channel.basicConsume({ queue }, take).then(({ consumerTag }) => (tag = consumerTag), reject);
    });
    const took = performance.now() - started;
    await channel.basicCancel({ consumerTag: tag });
    return took;
  };
  return { prepare: send, run };
}

/** @param {Place} place */
async function publisher({ url, prefix }) {
  const connection = new Connection(url);
  const channel = await connection.acquire();
  await channel.confirmSelect();
  const exchange = prefix + topic;
  const queue = `${prefix}bench`;
  await channel.exchangeDeclare({ exchange, type: 'topic', durable: true });
  await channel.queueDeclare({ queue, durable: true, arguments: queueArguments });
  await channel.queueBind({ queue, exchange, routingKey: type });
  const send = async (/** @type {number} */ count) => {
    for (let sent = 0; sent < count; sent += batchSize) {
      const confirmed = [];
      for (let i = 0; i < Math.min(batchSize, count - sent); i++) {
        const { content, ...options } = nextOutbound();
        confirmed.push(channel.basicPublish({ exchange, routingKey: type, durable: true, ...options }, content));
      }
      await Promise.all(confirmed);
    }
  };
  return { send, connection, queue };
}

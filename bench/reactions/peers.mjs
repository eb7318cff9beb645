/** A round of a peer in a separate process: `node peers.mjs <database> <peer>`, the plan by message. */
import { setTimeout as sleep } from 'node:timers/promises';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import { newId } from '@svc/core';
import { median } from '../lib/statistics.mjs';

process.on('disconnect', () => process.exit(1));
const [, , url = '', name = ''] = process.argv;
const appendsAtOnce = 32;
const pauseMs = 5;

/** `place` appends the event to a new stream, `start` begins to react to events, `stop` ends everything. */
/** @typedef {{ place: (streamId: string) => Promise<unknown>, start: () => void, stop: () => Promise<unknown> }} Peer */
/** Called when a reaction starts, and when it has appended its event. */
/** @typedef {{ started: (streamId: string) => void, ended: () => void }} Observer */

/** A consumer with its defaults: it polls every 50 ms, and processes 100 events per turn, one after another. @param {Observer} observer @returns {Promise<Peer>} */
async function emmett({ started, ended }) {
  const events = getPostgreSQLEventStore(url);
  await events.schema.migrate();
  const consumer = events.consumer();
  consumer.reactor({
    processorId: 'pay',
    canHandle: ['OrderPlaced'],
    startFrom: 'BEGINNING',
    eachMessage: async ({ metadata: { streamName } }) => {
      started(streamName);
      await events.appendToStream(streamName, [{ type: 'OrderPaid', data: {} }]);
      ended();
    },
  });
  return {
    place: (streamId) => events.appendToStream(streamId, [{ type: 'OrderPlaced', data: {} }]),
    start: () => void consumer.start(),
    stop: async () => {
      await consumer.close();
      await events.close();
    },
  };
}

/** Reactions of one target stream, 100 events per turn, and 5 ms between turns without work. @param {Observer} observer @returns {Promise<Peer>} */
async function actPeer({ started, ended }) {
  process.env['LOG_LEVEL'] = 'error';
  const { act, dispose, state, store, ZodEmpty } = await import('@rotorsoft/act');
  const { PostgresStore } = await import('@rotorsoft/act-pg');
  const { hostname: host, port, username: user, password, pathname } = new URL(url);
  const connection = { host, port: Number(port), user, password: decodeURIComponent(password) };
  store(new PostgresStore({ ...connection, database: pathname.slice(1) }));
  await store().seed();
  const actor = { id: 'bench', name: 'bench' };
  const Order = state('Order', ZodEmpty)
    .init(() => ({}))
    .emits({ OrderPlaced: ZodEmpty, OrderPaid: ZodEmpty })
    .patch({ OrderPlaced: () => ({}), OrderPaid: () => ({}) })
    .on('place', ZodEmpty)
    .emit(() => ['OrderPlaced', {}])
    .on('pay', ZodEmpty)
    .emit(() => ['OrderPaid', {}])
    .build();
  const app = act()
    .with(Order)
    .on('OrderPlaced')
    .do(async (event) => {
      started(event.stream);
      await app.do('pay', { stream: event.stream, actor }, {}, event);
      ended();
    })
    .to(() => 'payments')
    .build(100);
  let isRunning = false;
  const drain = async () => {
    while (isRunning) if ((await app.drain()) === 0) await sleep(pauseMs);
  };
  let draining = Promise.resolve();
  return {
    place: (stream) => app.do('place', { stream, actor }, {}),
    start: () => {
      isRunning = true;
      draining = drain();
    },
    stop: async () => {
      isRunning = false;
      await draining;
      await dispose()();
    },
  };
}

process.once('message', (/** @type {{ backlog: number, samples: number }} */ plan) => void measure(plan));

/** @param {{ backlog: number, samples: number }} plan */
async function measure({ backlog, samples }) {
  let reacted = 0;
  /** @type {Map<string, (at: number) => void>} */
  const waiting = new Map();
  const observer = {
    started: (/** @type {string} */ streamId) => waiting.get(streamId)?.(performance.now()),
    ended: () => void reacted++,
  };
  const peer = await (name === 'emmett' ? emmett(observer) : actPeer(observer));
  let left = backlog;
  const placing = Array.from({ length: appendsAtOnce }, async () => {
    while (left-- > 0) await peer.place(newId());
  });
  await Promise.all(placing);
  const before = performance.now();
  peer.start();
  while (reacted < backlog) await sleep(5);
  const reacts = backlog / ((performance.now() - before) / 1_000);
  /** @type {number[]} */
  const starts = [];
  for (let i = 0; i < samples; i++) {
    const streamId = newId();
    const starting = new Promise((/** @type {(at: number) => void} */ resolve) => waiting.set(streamId, resolve));
    await peer.place(streamId);
    const committed = performance.now();
    starts.push(Math.max(0, (await starting) - committed));
  }
  process.send?.({ kind: 'measured', reacts, starts: median(starts) });
  await peer.stop();
}

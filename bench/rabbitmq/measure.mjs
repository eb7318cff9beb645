/** One round of one subject in a separate process: `node measure.mjs <subject> <broker> <name> <messages>`. */
import { basename } from 'node:path';
import * as amqplib from './amqplib-subjects.mjs';
import * as rabbitmqClient from './rabbitmq-client-subjects.mjs';
import * as svc from './svc-subjects.mjs';

process.on('disconnect', () => process.exit(1));

/**
 * A subject: `prepare` a number of messages, then publish or receive exactly those, and return the milliseconds that took.
 *
 * @typedef {{ prepare: (count: number) => Promise<void>, run: (count: number) => Promise<number> }} Subject
 */

const [, , name = '', url = '', path = '', messages = ''] = process.argv;
const subjects = { 'rabbitmq-client': rabbitmqClient, amqplib, svc };
const [, what = '', whose = ''] = /^(publish|receive)-(.*)$/.exec(name) ?? [];
const open = subjects[/** @type {keyof typeof subjects} */ (whose)][/** @type {'publish' | 'receive'} */ (what)];
const subject = await open({ url, prefix: `${basename(path)}.`, file: `${path}.db` });

const count = Number(messages);
await timed(Math.ceil(count / 5));
process.send?.({ kind: 'measured', rate: await timed(count) });

/** @param {number} many messages a second */
async function timed(many) {
  await subject.prepare(many);
  return (many / (await subject.run(many))) * 1_000;
}

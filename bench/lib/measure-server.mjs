/** One round of one subject: its server in one new process, the load in another. */
import { fileURLToPath } from 'node:url';
import { pinned } from './machine.mjs';
import { message, start, stop } from './processes.mjs';

export const connectionCount = 64;

const serveScript = fileURLToPath(new URL('serve.mjs', import.meta.url));
const loadScript = fileURLToPath(new URL('load-client.mjs', import.meta.url));

const startLimitMs = 20_000;

/**
 * The task of every subject.
 *
 * @typedef {object} Task
 * @property {string} path
 * @property {readonly string[]} bodies one for each connection
 * @property {(answer: any) => string} idOf the id of the new order that an answer tells
 */

/**
 * Starts a new server each time: it must not have the events of earlier rounds, and the compiler's decisions differ between
 * processes.
 *
 * @param {URL} subject the module that serves it
 * @param {Task} task
 * @param {{ warmUpMs: number, measureMs: number }} plan
 * @param {import('./machine.mjs').Pinning} pins
 */
export async function measureServer(subject, { path, bodies, idOf }, { warmUpMs, measureMs }, pins) {
  const server = start(pinned([process.execPath, serveScript, subject.href], pins?.server), { ipc: true });
  const client = start(pinned([process.execPath, loadScript], pins?.client), { ipc: true });
  try {
    const { port } = await message(server, 'listening', startLimitMs);
    client.send({ port, path, bodies, warmUpMs, measureMs });
    await message(client, 'measuring', warmUpMs + startLimitMs);
    const before = usageOf(server);
    const measured = await message(client, 'measured', measureMs + startLimitMs);
    const after = await usageOf(server);
    checkAnswers(subject, measured.answers, idOf);
    return {
      rate: measured.requests / measured.seconds,
      p50: measured.p50,
      p99: measured.p99,
      cpu: (after - (await before)) / measured.requests,
      clientCpu: measured.clientCpu,
    };
  } finally {
    await Promise.all([stop(client), stop(server)]);
  }
}

/** Microseconds of processor time a server has used. @param {import('./processes.mjs').ChildProcess} server */
async function usageOf(server) {
  const answer = message(server, 'usage', startLimitMs);
  server.send({ kind: 'usage' });
  const { user, system } = await answer;
  return user + system;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Checks the first response of each connection: all are orders, and all are different.
 *
 * @param {URL} subject
 * @param {readonly string[]} answers
 * @param {Task['idOf']} idOf
 */
function checkAnswers(subject, answers, idOf) {
  const ids = answers.map((answer) => idOf(JSON.parse(answer)));
  const good = ids.every((id) => uuid.test(id)) && new Set(ids).size === connectionCount;
  if (!good) throw new Error(`${subject.pathname} answered ${answers[0]}, which is not a new order.`);
}

/** The process that creates the load: gets its task by message, warms up, measures, and sends its result. */
import { openConnection } from './http-connection.mjs';

/**
 * @typedef {object} Load
 * @property {number} port
 * @property {string} path
 * @property {readonly string[]} bodies JSON, one for each connection
 * @property {number} warmUpMs
 * @property {number} measureMs
 */

const bucketsPerMs = 100;
const longestMs = 2_000;
const latencies = new Uint32Array(longestMs * bucketsPerMs);

process.once('disconnect', () => process.exit());
process.once('message', (/** @type {Load} */ load) => run(load));

/** @param {Load} load */
function run({ port, path, bodies, warmUpMs, measureMs }) {
  let measureFrom = Infinity;
  let requests = 0;
  let cpuAtStart = process.cpuUsage();
  /** @type {'opening' | 'warmingUp' | 'measuring' | 'done'} */
  let phase = 'opening';
  let waiting = bodies.length;

  const connections = bodies.map((body) => {
    let sentAt = 0;
    return openConnection(port, requestOf(path, body), { failed, answered });

    function answered() {
      if (phase === 'opening') {
        if (--waiting === 0) warmUp();
        return false;
      }
      const now = performance.now();
      if (phase === 'measuring') {
        requests++;
        const bucket = Math.min(latencies.length - 1, Math.floor((now - sentAt) * bucketsPerMs));
        latencies[bucket] = (latencies[bucket] ?? 0) + 1;
        if (now >= measureFrom + measureMs) finish(now);
      } else if (now >= measureFrom && phase === 'warmingUp') {
        measure(now);
      }
      sentAt = now;
      return phase !== 'done';
    }
  });

  /** A server accepts one new connection at a time while it serves others: without the wait some would hardly be served. */
  function warmUp() {
    phase = 'warmingUp';
    measureFrom = performance.now() + warmUpMs;
    for (const connection of connections) connection.send();
  }

  /** @param {number} now */
  function measure(now) {
    phase = 'measuring';
    measureFrom = now;
    cpuAtStart = process.cpuUsage();
    process.send?.({ kind: 'measuring' });
  }

  /** @param {number} now */
  function finish(now) {
    phase = 'done';
    const { user, system } = process.cpuUsage(cpuAtStart);
    const seconds = (now - measureFrom) / 1000;
    process.send?.({
      kind: 'measured',
      requests,
      seconds,
      p50: percentile(requests, 0.5),
      p99: percentile(requests, 0.99),
      clientCpu: (user + system) / 1e6 / seconds,
      answers: connections.map((connection) => connection.firstAnswer()),
    });
    for (const connection of connections) connection.close();
  }

  /** @param {Error} error */
  function failed(error) {
    if (phase === 'done') return;
    console.error(error.message);
    process.exit(1);
  }
}

/**
 * @param {string} path
 * @param {string} body
 */
function requestOf(path, body) {
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.from(head + body);
}

/**
 * @param {number} count
 * @param {number} share
 */
function percentile(count, share) {
  let left = count * share;
  for (let bucket = 0; bucket < latencies.length; bucket++) {
    left -= latencies[bucket] ?? 0;
    if (left <= 0) return (bucket + 0.5) / bucketsPerMs;
  }
  return longestMs;
}

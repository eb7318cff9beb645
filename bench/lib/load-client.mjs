/** The process that makes the load: told what to do by a message, warms up, measures, and sends what it found. */
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
  const measureFrom = performance.now() + warmUpMs;
  const measureUntil = measureFrom + measureMs;
  let requests = 0;
  let cpuAtStart = process.cpuUsage();
  let isMeasuring = false;
  let isDone = false;

  const connections = bodies.map((body) => {
    let sentAt = performance.now();
    return openConnection(port, requestOf(path, body), { failed, answered });

    function answered() {
      const now = performance.now();
      if (isMeasuring) {
        requests++;
        const bucket = Math.min(latencies.length - 1, Math.floor((now - sentAt) * bucketsPerMs));
        latencies[bucket] = (latencies[bucket] ?? 0) + 1;
        if (now >= measureUntil) finish(now);
      } else if (now >= measureFrom && !isDone) {
        isMeasuring = true;
        cpuAtStart = process.cpuUsage();
        process.send?.({ kind: 'measuring' });
      }
      sentAt = now;
      return !isDone;
    }
  });

  /** @param {number} now */
  function finish(now) {
    isMeasuring = false;
    isDone = true;
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
    if (isDone) return;
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

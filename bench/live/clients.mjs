/** Connections to a host: `node clients.mjs <port> <count> <path>`. One in twenty measures how old a model is when it arrives. */
import { connect } from 'node:net';
import { now } from './changed.mjs';

process.on('disconnect', () => process.exit(1));
const [, , port = '', count = '', ...paths] = process.argv;
const measured = 20;

/** @type {number[]} */
const ages = [];
let received = 0;
let isMeasuring = false;

/** Resolves when the first page is there. @param {number} i */
function open(i) {
  const socket = connect(Number(port), '127.0.0.1');
  socket.setNoDelay(true);
  socket.write(`GET ${paths[i % paths.length]} HTTP/1.1\r\nhost: bench\r\n\r\n`);
  socket.on('error', () => process.exit(1));
  socket.on('close', () => process.exit(1));
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      resolve(null);
      received++;
      if (!isMeasuring || i % measured !== 0) return;
      const at = now();
      for (const [, sent] of chunk.toString('latin1').matchAll(/"at":([\d.]+)/g)) ages.push(at - Number(sent));
    });
  });
}

for (let from = 0; from < Number(count); from += 100) {
  await Promise.all(Array.from({ length: Math.min(100, Number(count) - from) }, (_, i) => open(from + i)));
}
process.on('message', (/** @type {string} */ message) => {
  if (message === 'measure') isMeasuring = true;
  else process.send?.({ kind: 'ages', ages, received });
});
process.send?.({ kind: 'connected' });

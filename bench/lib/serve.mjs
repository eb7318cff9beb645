/** The server of one subject in a process of its own, on a free port of this machine's loopback. */
const [, , subject] = process.argv;

// Several frameworks do more for every request when they are not told.
process.env['NODE_ENV'] = 'production';

process.once('disconnect', () => process.exit());
process.once('SIGTERM', () => process.exit());
process.on('message', (/** @type {{ kind: string }} */ { kind }) => {
  if (kind === 'usage') process.send?.({ kind: 'usage', ...process.cpuUsage() });
});

const { listen } = await import(subject ?? '');
process.send?.({ kind: 'listening', port: await listen() });

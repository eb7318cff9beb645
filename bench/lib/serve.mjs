/** The server of one subject in a separate process, on a free loopback port. */
const [, , subject] = process.argv;

// Several frameworks do more work per request unless this is set.
process.env['NODE_ENV'] = 'production';

process.once('disconnect', () => process.exit());
process.once('SIGTERM', () => process.exit());
process.on('message', (/** @type {{ kind: string }} */ { kind }) => {
  if (kind === 'usage') process.send?.({ kind: 'usage', ...process.cpuUsage() });
});

const { listen } = await import(subject ?? '');
process.send?.({ kind: 'listening', port: await listen() });

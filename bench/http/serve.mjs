/** The server of one subject in a process of its own, on a free port of this machine's loopback. */
const [, , name] = process.argv;

process.once('disconnect', () => process.exit());
process.once('SIGTERM', () => process.exit());
process.on('message', (/** @type {{ kind: string }} */ { kind }) => {
  if (kind === 'usage') process.send?.({ kind: 'usage', ...process.cpuUsage() });
});

const { listen } = await import(`./subjects/${name}.mjs`);
process.send?.({ kind: 'listening', port: await listen() });

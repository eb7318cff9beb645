/** Loaded into the service process before its own code: collects garbage and reports its memory when it is asked to. */
process.on('message', (message) => {
  if (message !== 'memory') return;
  // The second collection frees what the first one found finalizers for.
  globalThis.gc();
  globalThis.gc();
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send({ rss, heap: heapUsed, cpuSeconds: (user + system) / 1e6 });
});
// The service ends by itself when it has nothing left to do.
process.channel.unref();

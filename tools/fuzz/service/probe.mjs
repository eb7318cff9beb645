/** Loaded into the service process before its own code: reports its memory when it is asked to, and ends the service with the fuzzer. */
process.on('message', (message) => {
  if (message !== 'memory') return;
  // The second collection frees what the first one found finalizers for.
  globalThis.gc();
  globalThis.gc();
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send({ rss, heap: heapUsed, cpuSeconds: (user + system) / 1e6 });
});
// However the fuzzer ends, the service does not outlive it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// The service ends by itself when it has nothing left to do.
process.channel.unref();

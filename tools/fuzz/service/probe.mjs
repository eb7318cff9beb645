/** Loaded into the service process before its own code: reports memory on request, and ends the service with the fuzzer. */
process.on('message', (message) => {
  if (message !== 'memory') return;
  // The second collection frees objects whose finalizers the first one found.
  globalThis.gc();
  globalThis.gc();
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send({ rss, heap: heapUsed, cpuSeconds: (user + system) / 1e6 });
});
// However the fuzzer ends, the service ends with it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Does not prevent the service from ending by itself.
process.channel.unref();

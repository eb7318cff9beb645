/** Live queries that end while they are opened. */
import { expect, it, onTestFinished } from 'vitest';
import { LiveClient } from './live-client.js';
import { host, noteService } from './live-notes.js';

it('are answered, and end, if the service ends them before their responses have begun', async () => {
  const service = noteService();
  const url = await host(service);
  const clients = Array.from({ length: 100 }, () => new LiveClient());
  onTestFinished(() => clients.forEach((client) => client.close()));
  const opened = clients.map((client) => client.connect(`${url}/notes/live`));
  for (const every of opened) {
    const isOpen = every.then(() => true);
    const aMoment = (): Promise<false> => new Promise((resolve) => setImmediate(resolve, false));
    while (!(await Promise.race([isOpen, aMoment()]))) service.endWatches();
  }
  service.endWatches();
  await expect.poll(() => clients.every(({ isEnded }) => isEnded), { timeout: 20_000 }).toBe(true);
});

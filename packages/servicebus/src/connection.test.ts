import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { Connection } from './connection.js';
import { settingsOf } from './options.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function connection(): Connection {
  const options = {
    connectionString:
      'Endpoint=sb://localhost:1;SharedAccessKeyName=name;SharedAccessKey=key;UseDevelopmentEmulator=true',
    hostName: 'host',
  };
  // The client connects on first use, which does not happen here.
  return new Connection(options, settingsOf(options));
}

it('retains no finished operation, however long the connection lasts', async () => {
  const opened = connection();
  const results: WeakRef<object>[] = [];
  for (let i = 0; i < 20; i++) {
    const batch = await opened.within(() => Promise.resolve({ messages: ['…'] }));
    results.push(new WeakRef(batch));
  }
  // Objects used in this turn of the event loop are retained until its end.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  // The last one may still be on the stack.
  expect(results.filter((result) => result.deref() !== undefined).length).toBeLessThanOrEqual(1);
  await opened.close();
});

it('rejects every pending operation when it is closed or its client is replaced, and no finished one', async () => {
  const opened = connection();
  const never = (): Promise<never> => new Promise(() => {});
  const first = [opened.within(never), opened.within(never)].map((waiting) => waiting.catch((error: unknown) => error));
  const answered = opened.within(() => Promise.resolve('answer'));
  const lost = new Error('lost');
  expect(await answered).toBe('answer');
  opened.giveUp(opened.client, lost);
  expect(await Promise.all(first)).toEqual([lost, lost]);
  const second = opened.within(never);
  await Promise.all([expect(second).rejects.toMatchObject({ code: 'SVC_TRANSPORT_CLOSED' }), opened.close()]);
  await expect(opened.within(never)).rejects.toMatchObject({ code: 'SVC_TRANSPORT_CLOSED' });
});

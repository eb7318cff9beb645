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
  // The client connects with the first use, which none of these is.
  return new Connection(options, settingsOf(options));
}

it('keeps nothing of what was asked and answered, however long the connection lasts', async () => {
  const asked = connection();
  const results: WeakRef<object>[] = [];
  for (let i = 0; i < 20; i++) {
    const batch = await asked.within(() => Promise.resolve({ messages: ['…'] }));
    results.push(new WeakRef(batch));
  }
  // What was used in this turn of the event loop is kept until its end.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  // The last one may still lie on the stack.
  expect(results.filter((result) => result.deref() !== undefined).length).toBeLessThanOrEqual(1);
  await asked.close();
});

it('tells everybody who waits when it is closed or its client is given up, and nobody who has an answer', async () => {
  const asked = connection();
  const never = (): Promise<never> => new Promise(() => {});
  const first = [asked.within(never), asked.within(never)].map((waiting) => waiting.catch((error: unknown) => error));
  const answered = asked.within(() => Promise.resolve('answer'));
  const lost = new Error('lost');
  expect(await answered).toBe('answer');
  asked.giveUp(asked.client, lost);
  expect(await Promise.all(first)).toEqual([lost, lost]);
  const second = asked.within(never);
  await Promise.all([expect(second).rejects.toMatchObject({ code: 'SVC_TRANSPORT_CLOSED' }), asked.close()]);
  await expect(asked.within(never)).rejects.toMatchObject({ code: 'SVC_TRANSPORT_CLOSED' });
});

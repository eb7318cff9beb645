import { expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import { receivingByTenant } from './receiving-by-tenant.js';
import type { ReceivedMessage, ReceiveMessages, UnprocessableMessage } from './transport.js';

const message = (tenantId: string | null): ReceivedMessage =>
  ({ id: newId(), scope: tenantId === null ? null : { tenantId }, metadata: {} }) as unknown as ReceivedMessage;

it('passes each database its messages in their order', async () => {
  const received: Record<string, string[]> = { eu: [], us: [] };
  const receivers: Record<string, ReceiveMessages> = Object.fromEntries(
    Object.entries(received).map(([name, ids]) => [
      name,
      (batch) => {
        ids.push(...batch.map(({ id }) => id));
        return Promise.resolve([]);
      },
    ]),
  );
  const batch = [message('us'), message('eu'), message('us'), message(null)];
  expect(await receivingByTenant((tenant) => receivers[tenant === 'us' ? 'us' : 'eu']!)(batch)).toEqual([]);
  const [first, second, third, fourth] = batch.map(({ id }) => id);
  expect(received).toEqual({ eu: [second, fourth], us: [first, third] });
});

it('does not repeat the messages of a database while another one fails, and returns what they could not process', async () => {
  const [inEu, inUs] = [message('eu'), message('us')];
  const left: UnprocessableMessage = { message: inEu, cause: new Error('unreadable') };
  let [received, failures] = [0, 2];
  const receive = receivingByTenant((tenant) => (tenant === 'eu' ? eu : us));
  const eu: ReceiveMessages = () => Promise.resolve(received++ === 0 ? [left] : []);
  const us: ReceiveMessages = () => (failures-- > 0 ? Promise.reject(new Error('away')) : Promise.resolve([]));
  await expect(receive([inEu, inUs])).rejects.toThrow('away');
  await expect(receive([inEu, inUs])).rejects.toThrow('away');
  expect(await receive([inEu, inUs])).toEqual([left]);
  expect(received).toBe(1);
  // The next delivery of the same message is another one.
  await receive([inEu]);
  expect(received).toBe(2);
});

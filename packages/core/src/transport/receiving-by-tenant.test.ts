import { expect, it } from 'vitest';
import { cloudEventIdKey, newId } from '../messages/index.js';
import { receivingByTenant, receivingCommandsByTenant } from './receiving-by-tenant.js';
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

it('processes messages of two databases with one id both, also if one database fails first', async () => {
  const inEu = message('eu');
  const inUs = { ...message('us'), id: inEu.id };
  const received: string[] = [];
  let isDown = true;
  const receive = receivingByTenant((tenant) => (tenant === 'eu' ? eu : us));
  const eu: ReceiveMessages = (batch) => {
    if (isDown) return Promise.reject(new Error('away'));
    received.push(...batch.map(({ scope }) => scope!['tenantId']!));
    return Promise.resolve([]);
  };
  const us: ReceiveMessages = (batch) => {
    received.push(...batch.map(({ scope }) => scope!['tenantId']!));
    return Promise.resolve([]);
  };
  await expect(receive([inUs, inEu])).rejects.toThrow('away');
  isDown = false;
  await receive([inUs, inEu]);
  expect(received).toEqual(['us', 'eu']);
});

it('recognizes a message with a mapped id by its source, whatever its time', async () => {
  const inEu = message('eu');
  const mapped = { ...message('us'), origin: 'partner', metadata: { [cloudEventIdKey]: 'order-1' } };
  let [received, isDown] = [0, true];
  const receive = receivingByTenant((tenant) => (tenant === 'eu' ? eu : us));
  const eu: ReceiveMessages = () => (isDown ? Promise.reject(new Error('away')) : Promise.resolve([]));
  const us: ReceiveMessages = (batch) => {
    received += batch.length;
    return Promise.resolve([]);
  };
  await expect(receive([mapped, inEu])).rejects.toThrow('away');
  isDown = false;
  await receive([{ ...mapped, id: newId() }, inEu]);
  expect(received).toBe(1);
});

it('processes the messages that come instead of those of a failed batch', async () => {
  const [first, second, inEu] = [message('us'), message('us'), message('eu')];
  const received: string[] = [];
  let failures = 2;
  const receive = receivingByTenant((tenant) => (tenant === 'eu' ? eu : us));
  const eu: ReceiveMessages = () => (failures-- > 0 ? Promise.reject(new Error('away')) : Promise.resolve([]));
  const us: ReceiveMessages = (batch) => {
    received.push(...batch.map(({ id }) => id));
    return Promise.resolve([]);
  };
  await expect(receive([first, inEu])).rejects.toThrow('away');
  await expect(receive([second, inEu])).rejects.toThrow('away');
  await receive([first, inEu]);
  // What is not delivered again at once is forgotten. The database recognizes it.
  expect(received).toEqual([first.id, second.id, first.id]);
});

it('passes each command to the database of its tenant', async () => {
  const tenants: string[] = [];
  const receive = receivingCommandsByTenant((tenant) => {
    tenants.push(tenant);
    return () => Promise.resolve(null);
  });
  for (const one of [message('eu'), message(null)]) expect(await receive(one)).toBeNull();
  expect(tenants).toEqual(['eu', '']);
});

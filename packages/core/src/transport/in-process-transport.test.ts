import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inboxOf, newId } from '../messages/index.js';
import { InProcessTransport } from './in-process-transport.js';
import type { Interest, ReceivedMessage, TransportMessage, UnprocessableMessage } from './transport.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function message(fields: Partial<TransportMessage> = {}): TransportMessage {
  const id = newId();
  const names = { type: 'test.Happened', destination: 'test', origin: 'north' };
  const rest = { body: '{}', timestamp: 0, causationId: null, scope: null, metadata: {} };
  return { id, streamId: newId(), correlationId: id, ...names, ...rest, ...fields };
}

const interest: Interest = { name: 'events', topics: [{ topic: 'test', types: ['test.Happened'] }] };
/** Lets everything run that needs no timer. */
const turn = () => vi.advanceTimersByTimeAsync(0);
const idsOf = (messages: readonly TransportMessage[]) => messages.map(({ id }) => id);

/** Subscribes, and records the batches. */
async function listen(transport: InProcessTransport, receive = (): readonly UnprocessableMessage[] => []) {
  const batches: (readonly ReceivedMessage[])[] = [];
  const subscription = await transport.subscribe(interest, async (batch) => {
    batches.push(batch);
    await Promise.resolve();
    return receive();
  });
  return { batches, subscription };
}

it('delivers the types of an interest to each subscription, with the origin that it has proven', async () => {
  const transport = new InProcessTransport();
  const [one, two] = [await listen(transport), await listen(transport)];
  const north = transport.host('north');
  expect([north.hostName, north.canProve!('north'), transport.canProve()]).toEqual(['north', true, true]);
  const [wanted, unproven] = [message(), { ...message(), signature: { keyId: 'k', value: 'v' } }];
  await north.publish([wanted, message({ type: 'test.Other' }), message({ destination: 'other' })]);
  await transport.publish([unproven]);
  await turn();
  for (const { batches } of [one, two]) {
    expect(batches.flat()).toEqual([
      { ...wanted, provenOrigin: 'north', routedType: null, signature: null },
      { ...unproven, provenOrigin: null, routedType: null },
    ]);
  }
});

it('delivers at most 500 messages at once, and those that arrive meanwhile afterwards', async () => {
  const transport = new InProcessTransport();
  const { batches } = await listen(transport);
  const all = Array.from({ length: 1_001 }, () => message());
  await transport.publish(all.slice(0, 1_000));
  await transport.publish(all.slice(1_000));
  await turn();
  expect(batches.map(({ length }) => length)).toEqual([500, 500, 1]);
  expect(idsOf(batches.flat())).toEqual(idsOf(all));
});

it('delivers messages again after a delay, which starts anew after a success', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const transport = new InProcessTransport();
  let failures = 2;
  const { batches } = await listen(transport, () => {
    if (failures-- > 0) throw new Error('not now');
    return [];
  });
  await transport.publish([message()]);
  await turn();
  expect(batches).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(50);
  expect(batches).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(99);
  expect(batches).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(batches).toHaveLength(3);
  failures = 1;
  await transport.publish([message()]);
  await vi.advanceTimersByTimeAsync(50);
  expect(batches).toHaveLength(5);
  vi.restoreAllMocks();
});

it('collects what subscribers and inboxes reject', async () => {
  const transport = new InProcessTransport();
  const rejected = { message: message() as ReceivedMessage, cause: new Error('forged') };
  await listen(transport, () => [rejected]);
  await transport.host('billing').openInbox!((command) => Promise.resolve({ message: command, cause: rejected.cause }));
  const command = message({ destination: inboxOf('billing') });
  await transport.publish([message(), command]);
  await turn();
  expect(transport.deadLetters.map(({ message: { id }, cause }) => [id, cause])).toEqual(
    expect.arrayContaining([
      [rejected.message.id, rejected.cause],
      [command.id, rejected.cause],
    ]),
  );
  expect(transport.deadLetters).toHaveLength(2);
});

it('rejects commands for a host that has never opened an inbox, and publishes the other messages', async () => {
  const transport = new InProcessTransport();
  const { batches } = await listen(transport);
  const commands: ReceivedMessage[] = [];
  const inbox = await transport.host('billing').openInbox!((command) => {
    commands.push(command);
    return Promise.resolve(null);
  });
  const lost = [message({ destination: inboxOf('stock') }), message({ destination: inboxOf('shop') })];
  const [event, command] = [message(), message({ destination: inboxOf('billing') })];
  await expect(transport.publish([lost[0]!, event, command, lost[1]!])).rejects.toMatchObject({
    reason: 'NoInbox',
    messageIds: idsOf(lost),
  });
  await turn();
  expect([idsOf(batches.flat()), idsOf(commands)]).toEqual([[event.id], [command.id]]);
  await inbox.close();
  const later = message({ destination: inboxOf('billing') });
  await transport.publish([later]);
  await transport.host('billing').openInbox!((next) => {
    commands.push(next);
    return Promise.resolve(null);
  });
  await turn();
  expect(idsOf(commands), 'it waits for the next host of that name').toEqual([command.id, later.id]);
});

it('is up until it is closed, which ends a delay, and delivers nothing afterwards', async () => {
  const transport = new InProcessTransport();
  const { batches, subscription } = await listen(transport, () => {
    throw new Error('not now');
  });
  expect(subscription.isUp).toBe(true);
  await transport.publish([message()]);
  await turn();
  let isClosed = false;
  void subscription.close().then(() => (isClosed = true));
  await turn();
  expect([isClosed, subscription.isUp]).toEqual([true, false]);
  await transport.publish([message()]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(batches).toHaveLength(1);
});

it('is idle once all messages are processed', async () => {
  const transport = new InProcessTransport();
  let [end, isIdle] = [(): void => {}, false];
  await transport.subscribe(interest, () => new Promise((resolve) => (end = () => resolve([]))));
  await transport.publish([message()]);
  void transport.idle().then(() => (isIdle = true));
  await turn();
  expect(isIdle).toBe(false);
  end();
  await turn();
  expect(isIdle).toBe(true);
});

import { expect, it } from 'vitest';
import { defaultCommandsAtOnce } from './concurrent-commands.js';
import { InProcessInbox } from './in-process-inbox.js';
import type { ReceiveCommand, ReceivedMessage, UnprocessableMessage } from './transport.js';
import { newId } from '../messages/index.js';

function receivedMessage(fields: Partial<ReceivedMessage> = {}): ReceivedMessage {
  const id = newId();
  const names = {
    type: 'test.Happened',
    destination: 'test',
    origin: 'sender',
    provenOrigin: fields.origin ?? 'sender',
  };
  const rest = { body: '{}', timestamp: Date.now(), causationId: null, scope: null, metadata: {} };
  return { id, streamId: newId(), correlationId: id, ...names, ...rest, routedType: null, signature: null, ...fields };
}

/** A host that processes commands when a test says so. */
class Host {
  readonly started: ReceivedMessage[] = [];
  readonly #ends: ((unprocessable: UnprocessableMessage | null) => void)[] = [];

  readonly receive: ReceiveCommand = (command) => {
    this.started.push(command);
    return new Promise((resolve) => this.#ends.push(resolve));
  };

  /** Ends the oldest running command. */
  async end(unprocessable: UnprocessableMessage | null = null): Promise<void> {
    this.#ends.shift()!(unprocessable);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const commands = (count: number) => Array.from({ length: count }, () => receivedMessage());

it('holds commands until a host opens it, then delivers them in their order', async () => {
  const inbox = new InProcessInbox(() => {});
  const [first, second] = commands(2);
  inbox.add(first!);
  inbox.add(second!);
  const host = new Host();
  inbox.open(host.receive);
  expect(host.started).toEqual([first, second]);
});

it('delivers each command to the host that runs the fewest, up to the limit of each', async () => {
  const inbox = new InProcessInbox(() => {});
  const [north, south] = [new Host(), new Host()];
  for (const { receive } of [north, south]) inbox.open(receive);
  const all = commands(2 * defaultCommandsAtOnce + 1);
  for (const command of all) inbox.add(command);
  expect(north.started).toHaveLength(defaultCommandsAtOnce);
  expect(south.started).toHaveLength(defaultCommandsAtOnce);
  expect(north.started[1], 'in turns').toBe(all[2]);
  await south.end();
  expect(south.started.at(-1), 'the place of the command that has ended').toBe(all.at(-1));
});

it('is up until it is closed, and delivers what was not processed to the next host, the oldest first', async () => {
  const inbox = new InProcessInbox(() => {});
  const failing: ReceivedMessage[] = [];
  const first = inbox.open((command) => {
    failing.push(command);
    return Promise.reject(new Error('not now'));
  });
  expect(first.isUp).toBe(true);
  const [one, two] = commands(2);
  inbox.add(one!);
  await first.close();
  expect(first.isUp).toBe(false);
  inbox.add(two!);
  expect(failing).toEqual([one]);
  const host = new Host();
  inbox.open(host.receive);
  expect(host.started).toEqual([one, two]);
});

it('dead-letters a command that its host cannot process, and no other', async () => {
  const deadLetters: UnprocessableMessage[] = [];
  const inbox = new InProcessInbox((unprocessable) => deadLetters.push(unprocessable));
  const host = new Host();
  inbox.open(host.receive);
  const [good, bad] = commands(2);
  for (const command of [good!, bad!]) inbox.add(command);
  const cause = new Error('forged');
  await host.end();
  await host.end({ message: bad!, cause });
  expect(deadLetters).toEqual([{ message: bad, cause }]);
});

it('has handed over its commands once none waits or runs, or if no host has opened it', async () => {
  const inbox = new InProcessInbox(() => {});
  inbox.add(receivedMessage());
  await inbox.handedOver();
  const host = new Host();
  inbox.open(host.receive);
  let isHandedOver = false;
  void inbox.handedOver().then(() => (isHandedOver = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isHandedOver).toBe(false);
  await host.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isHandedOver).toBe(true);
});

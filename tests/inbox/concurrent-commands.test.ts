import { newId, type Uuid } from '@svc/core';
import { ConcurrentCommands, type ReceivedMessage } from '@svc/core/transport';
import { receivedMessage, type UnprocessableMessage } from '@svc/core/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Receptors that end when they are told to. */
class Receptors {
  readonly started: Uuid[] = [];
  readonly #ends = new Map<Uuid, { readonly resolve: (done: null) => void; readonly reject: (error: Error) => void }>();

  readonly receive = ({ id }: { readonly id: Uuid }): Promise<null> => {
    this.started.push(id);
    return new Promise((resolve, reject) => this.#ends.set(id, { resolve, reject }));
  };

  async end(id: Uuid, error?: Error): Promise<void> {
    const { resolve, reject } = this.#ends.get(id)!;
    if (error === undefined) resolve(null);
    else reject(error);
    await vi.advanceTimersByTimeAsync(0);
  }
}

/** The outcome that a delivery has by now. */
async function now<T>(outcome: Promise<T>): Promise<T | 'none'> {
  const none = vi.advanceTimersByTimeAsync(0).then(() => 'none' as const);
  return await Promise.race([outcome, none]);
}

const commandOf = (id: Uuid) => receivedMessage({ id, streamId: id });

it('a command that is delivered again while it runs does not run twice, and settles all deliveries', async () => {
  const receptors = new Receptors();
  const turns = new ConcurrentCommands(receptors.receive);
  const id = newId();
  let isConnected = true;
  const lost = turns.take(commandOf(id), () => isConnected);
  isConnected = false;
  const [held, beside] = [turns.take(commandOf(id)), turns.take(commandOf(id))];
  expect(await now(lost)).toBe(false);
  expect(receptors.started).toEqual([id]);
  await receptors.end(id);
  expect(await now(Promise.all([held, beside]))).toEqual([true, true]);
  expect(turns.size).toBe(0);
});

it('a failed command is retried while a delivery of it is held, and not otherwise', async () => {
  const receptors = new Receptors();
  const turns = new ConcurrentCommands(receptors.receive);
  const id = newId();
  let isConnected = true;
  const first = turns.take(commandOf(id), () => isConnected);
  isConnected = false;
  const second = turns.take(commandOf(id));
  await receptors.end(id, new Error('not now'));
  await vi.advanceTimersByTimeAsync(100);
  expect(receptors.started).toEqual([id, id]);
  await receptors.end(id);
  expect(await now(Promise.all([first, second]))).toEqual([false, true]);
  const alone = turns.take(commandOf(id), () => isConnected);
  expect(await now(alone)).toBe(false);
  expect(receptors.started).toHaveLength(2);
});

it('the limit of concurrent commands holds across lost connections, and lost deliveries do not count', async () => {
  const receptors = new Receptors();
  const turns = new ConcurrentCommands(receptors.receive, 2);
  const [hung, slow, lost, next] = [newId(), newId(), newId(), newId()];
  let isConnected = true;
  const taken = [hung, slow, lost].map((id) => turns.take(commandOf(id), () => isConnected));
  expect(receptors.started).toEqual([hung, slow]);
  isConnected = false;
  const [again, late] = [turns.take(commandOf(hung)), turns.take(commandOf(next))];
  expect(await now(taken[2]!)).toBe(false);
  expect(receptors.started).toEqual([hung, slow]);
  await receptors.end(slow);
  expect(receptors.started).toEqual([hung, slow, next]);
  await receptors.end(next);
  expect(await now(late)).toBe(true);
  await receptors.end(hung);
  expect(await now(again)).toBe(true);
  expect(turns.size).toBe(0);
});

it('closing waits for running commands, but not for a receptor that never ends', async () => {
  const receptors = new Receptors();
  const turns = new ConcurrentCommands(receptors.receive, 2);
  const [hung, slow, waiting] = [newId(), newId(), newId()];
  const taken = [hung, slow, waiting].map((id) => turns.take(commandOf(id)));
  let isClosed = false;
  const closed = turns.close().then(() => (isClosed = true));
  expect(await now(taken[2]!)).toBe(false);
  await receptors.end(slow);
  expect(await now(taken[1]!)).toBe(true);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await now(Promise.all([closed, turns.close()]))).not.toBe('none');
  expect(await now(taken[0]!)).toBe(false);
  expect(await now(turns.take(commandOf(newId())))).toBe(false);
  expect(receptors.started).toEqual([hung, slow]);
});

it('a running command settles a message with its id only if it is the same message', async () => {
  const outcomes = new Map<string, (unprocessable: UnprocessableMessage | null) => void>();
  const turns = new ConcurrentCommands(({ body }) => new Promise((resolve) => outcomes.set(body, resolve)));
  const id = newId();
  const of = (body: string, fields: Partial<ReceivedMessage>) => receivedMessage({ id, streamId: id, body, ...fields });
  const forged = of('forged', { origin: 'orders', provenOrigin: 'mallory' });
  const badlySigned = of('badly signed', { origin: 'orders', signature: { keyId: 'k', value: 'bad' } });
  const real = of('real', { origin: 'orders', signature: { keyId: 'k', value: 'good' } });
  const taken = [forged, badlySigned, real, real].map((message) => turns.take(message));
  expect([...outcomes.keys()]).toEqual(['forged', 'badly signed', 'real']);
  const cause = new Error('It is forged.');
  outcomes.get('forged')!({ message: forged, cause });
  outcomes.get('badly signed')!({ message: badlySigned, cause });
  expect(await now(Promise.all(taken.slice(0, 2)))).toEqual([cause, cause]);
  outcomes.get('real')!(null);
  expect(await now(Promise.all(taken.slice(2)))).toEqual([true, true]);
});

it('a command that waits and is delivered again runs once, and settles both deliveries', async () => {
  const receptors = new Receptors();
  const turns = new ConcurrentCommands(receptors.receive, 1);
  const [first, second] = [newId(), newId()];
  const taken = [first, second, second].map((id) => turns.take(commandOf(id)));
  expect(turns.size).toBe(2);
  await receptors.end(first);
  await receptors.end(second);
  expect(receptors.started).toEqual([first, second]);
  expect(await now(Promise.all(taken))).toEqual([true, true, true]);
});

it('a waiting command whose deliveries are lost no longer waits', async () => {
  const receptors = new Receptors();
  const turns = new ConcurrentCommands(receptors.receive, 1);
  let isConnected = true;
  void turns.take(commandOf(newId()));
  const lost = turns.take(commandOf(newId()), () => isConnected);
  isConnected = false;
  void turns.take(commandOf(newId()));
  expect(await now(lost)).toBe(false);
  expect(turns.size).toBe(2);
});

it('a failed command is retried after a delay, for any delivery that is still held', async () => {
  const receptors = new Receptors();
  const turns = new ConcurrentCommands(receptors.receive);
  const id = newId();
  const isHeld = [true, true];
  const taken = isHeld.map((_, i) => turns.take(commandOf(id), () => isHeld[i]!));
  isHeld[0] = false;
  await receptors.end(id, new Error('not now'));
  expect(receptors.started, 'not at once').toEqual([id]);
  await vi.advanceTimersByTimeAsync(50);
  expect(receptors.started).toEqual([id, id]);
  isHeld[1] = false;
  await receptors.end(id, new Error('not now'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(receptors.started, 'no delivery is held').toEqual([id, id]);
  expect(await now(Promise.all(taken))).toEqual([false, false]);
  expect(turns.size).toBe(0);
});

it('closing ends with the last running command, and starts none that waits', async () => {
  const receptors = new Receptors();
  const turns = new ConcurrentCommands(receptors.receive, 1);
  const [running, waiting] = [newId(), newId()];
  const taken = [running, waiting].map((id) => turns.take(commandOf(id)));
  const closed = turns.close().then(() => 'closed');
  expect(await now(closed)).toBe('none');
  expect(await now(turns.take(commandOf(newId()))), 'while a command runs').toBe(false);
  await receptors.end(running);
  expect(await now(closed)).toBe('closed');
  expect(await now(Promise.all(taken))).toEqual([true, false]);
  expect(receptors.started).toEqual([running]);
  expect(vi.getTimerCount()).toBe(0);
});

it('closing does not wait for the delay of a failed command', async () => {
  const receptors = new Receptors();
  const turns = new ConcurrentCommands(receptors.receive);
  const id = newId();
  const taken = turns.take(commandOf(id));
  await receptors.end(id, new Error('not now'));
  expect(await now(turns.close().then(() => 'closed'))).toBe('closed');
  expect(await now(taken)).toBe(false);
  expect(receptors.started).toEqual([id]);
});

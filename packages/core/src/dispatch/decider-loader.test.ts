import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Snapshots, type Decider, type NamedDecider } from '../deciders/index.js';
import { MessageRegistry, newId, type MessageClass, type MessageDescriptor } from '../messages/index.js';
import { around, EventLog, InMemoryStorage } from '../storage/index.js';
import { LocalDispatcher, type DispatcherParts } from './dispatcher.js';
import type { NamedReceptor, ReceptorContext } from './receptor.js';

class Reserve {}
class Inner {}
class Reserved {}

class Show implements Decider<{ readonly taken: number }, Reserved> {
  initial() {
    return { taken: 0 };
  }
  evolve({ taken }: { readonly taken: number }) {
    return { taken: taken + 1 };
  }
}

const message = (messageClass: MessageClass): MessageDescriptor => ({
  type: `test.${messageClass.name}`,
  kind: 'command',
  class: messageClass,
  read: (value) => Object.assign(new messageClass(), value),
  write: JSON.stringify,
});
const messages = new MessageRegistry([Reserve, Inner, Reserved].map(message));
const show: NamedDecider = { name: 'Show', decider: new Show(), events: new Set([Reserved]), snapshots: null };
const streamId = newId();

let storage: InMemoryStorage;
let log: EventLog;
let receptors: Map<unknown, NamedReceptor>;

beforeEach(() => {
  storage = new InMemoryStorage();
  log = new EventLog(storage, messages);
  receptors = new Map();
});

const receive = (command: MessageClass, handler: (context: ReceptorContext) => unknown): void =>
  void receptors.set(command, {
    name: `${command.name}Receptor`,
    commandType: `test.${command.name}`,
    resultType: null,
    receptor: { receive: (_command, context) => handler(context) },
  });

const dispatcher = (parts: Partial<DispatcherParts> = {}): LocalDispatcher =>
  new LocalDispatcher({
    messages,
    log,
    guard: { isolatesTenants: false, actor: null },
    receptors,
    deciders: new Map([[Show, show]]),
    snapshots: null,
    isShared: false,
    observeWaits: null,
    behaviors: [],
    decorate: null,
    onFailure: null,
    conflictRetries: 0,
    sendsCommands: false,
    schedulesCommands: false,
    publishFilter: null,
    ...parts,
  });

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('commands that load the same stream', () => {
  /** How many of them hold the stream. They end once `release` is called. */
  let holding: number;
  let release: () => void;

  beforeEach(() => {
    holding = 0;
    const released = new Promise<void>((resolve) => (release = resolve));
    receive(Reserve, async (context) => {
      await context.load(Show, streamId);
      holding++;
      await released;
    });
  });

  it('wait for each other, which is observed', async () => {
    const waits: string[] = [];
    const observeWaits = (decider: string) => {
      waits.push(`${decider} waits`);
      return () => void waits.push(`${decider} no longer waits`);
    };
    const host = dispatcher({ observeWaits });
    const all = [host.invoke(new Reserve()), host.invoke(new Reserve())];
    await settled();
    expect([holding, waits]).toEqual([1, ['Show waits']]);
    release();
    await Promise.all(all);
    expect([holding, waits]).toEqual([2, ['Show waits', 'Show no longer waits']]);
  });

  it.each([
    [true, 2],
    [false, 1],
  ])('wait for those of other tenants only if tenants are not isolated (%s)', async (isolatesTenants, expected) => {
    const host = dispatcher({ guard: { isolatesTenants, actor: null } });
    const all = ['acme', 'other', 'acme'].map((tenantId) => host.invoke(new Reserve(), { scope: { tenantId } }));
    await settled();
    expect(holding).toBe(expected);
    release();
    await Promise.all(all);
    expect(holding).toBe(3);
  });

  it('do not wait for the command whose receptor invokes them with the dispatcher', async () => {
    const host = dispatcher();
    receive(Inner, (context) => context.load(Show, streamId));
    receive(Reserve, async (context) => {
      await context.load(Show, streamId);
      await host.invoke(new Inner());
      return 'done';
    });
    await expect(host.invoke(new Reserve())).resolves.toBe('done');
  });
});

describe('a host that shares its database with others', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** Runs commands that each take 10 ms, and returns when each has loaded the stream. */
  async function loadTimes(commands: number, appended: number): Promise<number[]> {
    const times: number[] = [];
    receive(Reserve, async (context) => {
      const stream = await context.load(Show, streamId);
      times.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, 10));
      for (let i = 0; i < appended; i++) stream.append(new Reserved());
    });
    const host = dispatcher({ isShared: true });
    const ended: unknown[] = [];
    const end = (): void => void ended.push(null);
    const all = Array.from({ length: commands }, () => host.invoke(new Reserve()).finally(end));
    for (let ms = 0; ms < 1_000 && ended.length < commands; ms++) {
      await vi.advanceTimersByTimeAsync(1);
      await settled();
    }
    expect(ended).toHaveLength(commands);
    await Promise.all(all);
    return times.map((time) => time - times[0]!);
  }

  it('pauses for the time of a command after its own commits, and no longer than that if no other host appends', async () => {
    const times = await loadTimes(8, 2);
    const gaps = times.slice(1).map((time, i) => time - times[i]! - 10);
    for (const gap of gaps.slice(0, 4)) {
      expect(gap).toBeGreaterThanOrEqual(10);
      expect(gap).toBeLessThanOrEqual(25);
    }
    for (const gap of gaps.slice(4)) expect(gap).toBeLessThanOrEqual(2);
  });

  it('does not pause after commands that append nothing', async () => {
    expect((await loadTimes(4, 0)).at(-1)).toBeLessThan(40);
  });
});

describe('a snapshot', () => {
  const form = { every: 2, version: '1', readState: (value: unknown) => value as object, writeState: JSON.stringify };
  const deciders = new Map([[Show, { ...show, snapshots: form }]]);
  let snapshots: Snapshots;
  let readFrom: unknown[];

  beforeEach(() => {
    snapshots = new Snapshots(storage.snapshots, () => {});
    readFrom = [];
  });

  const watched = (): DispatcherParts['log'] =>
    around<DispatcherParts['log']>(log, {
      readStream(id, from) {
        readFrom.push(from);
        return log.readStream(id, from);
      },
    });

  /** The position and state of the stored snapshot after a command that appends events, or fails then. */
  async function afterCommand(appended: number, fails = false): Promise<unknown> {
    receive(Reserve, async (context) => {
      const stream = await context.load(Show, streamId);
      for (let i = 0; i < appended; i++) stream.append(new Reserved());
      if (fails) throw new Error('no');
    });
    const invoked = dispatcher({ log: watched(), deciders, snapshots }).invoke(new Reserve());
    if (fails) await expect(invoked).rejects.toThrow('no');
    else await invoked;
    await snapshots.worker.idle();
    const stored = await storage.snapshots.read('Show', streamId, '1');
    return stored === null ? null : [stored.position, JSON.parse(stored.state)];
  }

  it('is offered once enough events follow the previous one, with the events of the command', async () => {
    expect(await afterCommand(1)).toBeNull();
    expect(await afterCommand(1)).toEqual([1, { taken: 2 }]);
    expect(await afterCommand(1)).toEqual([1, { taken: 2 }]);
    expect(await afterCommand(3)).toEqual([5, { taken: 6 }]);
    expect(readFrom).toEqual([0, 0, 1, 1]);
  });

  it('has no events of a command that failed', async () => {
    expect(await afterCommand(1)).toBeNull();
    expect(await afterCommand(5, true)).toBeNull();
    expect(await afterCommand(3)).toEqual([3, { taken: 4 }]);
    expect(await afterCommand(5, true)).toEqual([3, { taken: 4 }]);
  });

  it('is not needed: without a storage for it, all events are read', async () => {
    receive(Reserve, async (context) => {
      const stream = await context.load(Show, streamId);
      stream.append(new Reserved());
      stream.append(new Reserved());
      return stream.state;
    });
    const host = dispatcher({ deciders });
    expect([await host.invoke(new Reserve()), await host.invoke(new Reserve())]).toEqual([{ taken: 2 }, { taken: 4 }]);
  });
});

it('names the decider that is not registered', async () => {
  class Unknown extends Show {}
  for (const [decider, text] of [
    [Unknown, 'Unknown is not a registered decider'],
    [undefined, 'It is not a registered decider'],
  ] as const) {
    receive(Reserve, (context) => context.load(decider as typeof Unknown, streamId));
    await expect(dispatcher().invoke(new Reserve())).rejects.toMatchObject({
      code: 'SVC_UNKNOWN_DECIDER',
      message: expect.stringContaining(text) as string,
    });
  }
});

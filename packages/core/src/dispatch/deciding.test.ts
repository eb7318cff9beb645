import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { Snapshots, type Decider, type NamedDecider } from '../deciders/index.js';
import { MessageRegistry, newId, wrap, type MessageClass, type MessageDescriptor } from '../messages/index.js';
import { EventLog, InMemoryStorage } from '../storage/index.js';
import { LocalDispatcher, type DispatcherParts } from './dispatcher.js';
import type { NamedReceptor, ReceptorContext } from './receptor.js';

class Outer {}
class Inner {}
class Reserved {
  constructor(readonly seats: number) {}
}
class Renamed {
  constructor(readonly name: string) {}
}

class Show implements Decider<{ readonly taken: number }, Reserved> {
  initial() {
    return { taken: 0 };
  }
  evolve(state: { readonly taken: number }, { seats }: Reserved) {
    return { taken: state.taken + seats };
  }
}

const message = (messageClass: MessageClass): MessageDescriptor => ({
  type: `test.${messageClass.name}`,
  kind: 'command',
  class: messageClass,
  read: (value) => Object.assign(new messageClass(), value),
  write: JSON.stringify,
});
const messages = new MessageRegistry([Outer, Inner, Reserved, Renamed].map(message));
const show: NamedDecider = { name: 'Show', decider: new Show(), events: new Set([Reserved]), snapshots: null };

let log: EventLog;
let receptors: Map<unknown, NamedReceptor>;
const streamId = newId();

beforeEach(() => {
  log = new EventLog(new InMemoryStorage(), messages);
  receptors = new Map();
});

type Receive = (context: ReceptorContext) => unknown;

const receive = (command: MessageClass, handler: Receive): void =>
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
    conflictRetries: 3,
    sendsCommands: false,
    schedulesCommands: false,
    publishFilter: null,
    ...parts,
  });

/** Another host appends an event. */
const append = async (event: object, options?: { expectedPosition: number }): Promise<void> => {
  const { type } = messages.of(event);
  const record = log.eventRecord(streamId, wrap(type, event, { streamId }), options);
  await log.commit({ events: [record], outgoing: [], delivered: null, received: [] });
};
const reserved = async (): Promise<number[]> => {
  const seats: number[] = [];
  for await (const { envelope } of log.readStream(streamId)) {
    if (envelope.payload instanceof Reserved) seats.push(envelope.payload.seats);
  }
  return seats;
};

describe('a loaded stream', () => {
  it('has the state of its events, and advances with those that are appended', async () => {
    await append(new Reserved(2));
    await append(new Renamed('skipped'));
    receive(Outer, async (context) => {
      const loaded = await context.load(Show, streamId);
      const before = [loaded.state.taken, loaded.exists, loaded.position];
      loaded.append(new Reserved(3));
      return [before, [loaded.state.taken, loaded.exists, loaded.position]];
    });
    await expect(dispatcher().invoke(new Outer())).resolves.toEqual([
      [2, true, 1],
      [5, true, 2],
    ]);
    expect(await reserved()).toEqual([2, 3]);
  });

  it('does not exist without an event of its decider', async () => {
    receive(Outer, async (context) => {
      const { exists, position, state } = await context.load(Show, streamId);
      return { exists, position, state };
    });
    expect(await dispatcher().invoke(new Outer())).toEqual({ exists: false, position: -1, state: { taken: 0 } });
    await append(new Renamed('of something else'));
    expect(await dispatcher().invoke(new Outer())).toEqual({ exists: false, position: 0, state: { taken: 0 } });
  });

  it('includes what outer and nested commands have appended, and not what a failed one has', async () => {
    receive(Inner, async (context) => {
      const loaded = await context.load(Show, streamId);
      loaded.append(new Reserved(10));
      if (loaded.state.taken > 11) throw new Error('full');
      return loaded.state.taken;
    });
    receive(Outer, async (context) => {
      const loaded = await context.load(Show, streamId);
      loaded.append(new Reserved(1));
      const inner = await context.invoke(new Inner());
      const failed = await context.invoke(new Inner()).catch((error: Error) => error.message);
      loaded.append(new Reserved(100));
      return [inner, failed, loaded.state.taken, loaded.position];
    });
    await expect(dispatcher().invoke(new Outer())).resolves.toEqual([11, 'full', 111, 2]);
    expect(await reserved()).toEqual([1, 10, 100]);
  });

  it('does not stay held if its decider fails on a committed event', async () => {
    const decider = Object.assign(new Show(), {
      evolve() {
        throw new Error('cannot evolve');
      },
    });
    const form = { every: 1, version: '1', readState: (value: unknown) => value as object, writeState: JSON.stringify };
    const deciders = new Map([[Show, { ...show, decider, snapshots: form }]]);
    const snapshots = new Snapshots(new InMemoryStorage().snapshots, () => {});
    receive(Outer, async (context) => {
      await context.load(Show, streamId);
      context.append(streamId, new Reserved(1));
    });
    const host = dispatcher({ deciders, snapshots });
    await expect(host.invoke(new Outer())).resolves.toBeUndefined();
    await expect(host.invoke(new Outer())).rejects.toThrow('cannot evolve');
  });

  it('needs a registered decider', async () => {
    class Unknown extends Show {}
    receive(Outer, (context) => context.load(Unknown, streamId));
    await expect(dispatcher().invoke(new Outer())).rejects.toMatchObject({ code: 'SVC_UNKNOWN_DECIDER' });
  });
});

describe('an append after a read', () => {
  const conflict = { code: 'SVC_CONCURRENCY_CONFLICT', streamId };
  const readAll = async (context: ReceptorContext, from?: number): Promise<void> => {
    for await (const { position } of context.readStream(streamId, from))
      expect(position).toBeGreaterThanOrEqual(from ?? 0);
  };

  it.each<[string, (context: ReceptorContext) => Promise<unknown>]>([
    ['loaded', (context) => context.load(Show, streamId)],
    ['read to its end', (context) => readAll(context)],
    ['read to its end from a position', (context) => readAll(context, 1)],
    ['read from a position that it has not reached', (context) => readAll(context, 9)],
  ])('is rejected if the stream that was %s has changed since', async (_how, read) => {
    await append(new Reserved(1));
    await append(new Reserved(2));
    receive(Outer, async (context) => {
      await read(context);
      await append(new Reserved(3));
      context.append(streamId, new Reserved(4));
    });
    await expect(dispatcher({ conflictRetries: 0 }).invoke(new Outer())).rejects.toMatchObject({
      ...conflict,
      expectedPosition: 1,
      actualPosition: 2,
    });
    expect(await reserved()).toEqual([1, 2, 3]);
  });

  it('is rejected if the stream has changed since the first of several reads', async () => {
    receive(Outer, async (context) => {
      await readAll(context);
      await append(new Reserved(1));
      await readAll(context);
      context.append(streamId, new Reserved(2));
    });
    await expect(dispatcher({ conflictRetries: 0 }).invoke(new Outer())).rejects.toMatchObject(conflict);
  });

  it('is rejected if the stream has changed since a nested command read it', async () => {
    receive(Inner, (context) => readAll(context));
    receive(Outer, async (context) => {
      await context.invoke(new Inner());
      await append(new Reserved(1));
      context.append(streamId, new Reserved(2));
    });
    await expect(dispatcher({ conflictRetries: 0 }).invoke(new Outer())).rejects.toMatchObject(conflict);
  });

  it('is committed anywhere with expectedPosition "any", or if the read did not reach the end', async () => {
    await append(new Reserved(1));
    receive(Outer, async (context) => {
      await readAll(context);
      await append(new Reserved(2));
      context.append(streamId, new Reserved(3), { expectedPosition: 'any' });
    });
    await dispatcher({ conflictRetries: 0 }).invoke(new Outer());
    receive(Outer, async (context) => {
      await context.readStream(streamId)[Symbol.asyncIterator]().next();
      await append(new Reserved(4));
      context.append(streamId, new Reserved(5));
    });
    await dispatcher({ conflictRetries: 0 }).invoke(new Outer());
    expect(await reserved()).toEqual([1, 2, 3, 4, 5]);
  });

  it('is committed after events that concurrent nested commands have appended', async () => {
    receive(Inner, async (context) => {
      (await context.load(Show, streamId)).append(new Reserved(1));
      await delay(1);
    });
    receive(Outer, async (context) => {
      const loaded = await context.load(Show, streamId);
      const inner = context.invoke(new Inner());
      loaded.append(new Reserved(2));
      await inner;
      loaded.append(new Reserved(3));
    });
    await dispatcher({ conflictRetries: 0 }).invoke(new Outer());
    expect(await reserved()).toEqual([2, 1, 3]);
  });
});

describe('a command in conflict', () => {
  it('runs again on the new state, as the same command', async () => {
    const runs: [taken: number, id: string, attempt: unknown][] = [];
    const failed: unknown[] = [];
    receive(Outer, async (context) => {
      const loaded = await context.load(Show, streamId);
      runs.push([loaded.state.taken, context.envelope.id, (context as { attempt?: unknown }).attempt]);
      if (runs.length < 3) await append(new Reserved(1));
      loaded.append(new Reserved(10));
      return loaded.state.taken;
    });
    const onFailure = (_failed: unknown, error: unknown): Promise<void> => Promise.resolve(void failed.push(error));
    await expect(dispatcher({ onFailure }).invoke(new Outer())).resolves.toBe(12);
    const [[, id]] = runs as [[number, string, unknown]];
    expect(runs).toEqual([0, 1, 2].map((taken) => [taken, id, 1]));
    expect(failed).toEqual([]);
    expect(await reserved()).toEqual([1, 1, 10]);
  });

  it.each([0, 2])('fails after %i retries', async (conflictRetries) => {
    let runs = 0;
    receive(Outer, async (context) => {
      const loaded = await context.load(Show, streamId);
      runs++;
      await append(new Reserved(1));
      loaded.append(new Reserved(10));
    });
    const refused = dispatcher({ conflictRetries }).invoke(new Outer());
    await expect(refused).rejects.toMatchObject({ code: 'SVC_CONCURRENCY_CONFLICT' });
    expect(runs).toBe(conflictRetries + 1);
  });

  it('does not run again for a position that its caller has given', async () => {
    let runs = 0;
    for (const [isRead, expectedPosition] of [
      [false, -1],
      [true, -1],
      [true, 7],
    ] as const) {
      await append(new Reserved(1));
      receive(Outer, async (context) => {
        runs++;
        if (isRead) await context.load(Show, streamId);
        context.append(streamId, new Reserved(10), { expectedPosition });
      });
      const refused = dispatcher().invoke(new Outer());
      await expect(refused).rejects.toMatchObject({ code: 'SVC_CONCURRENCY_CONFLICT', expectedPosition });
    }
    expect(runs).toBe(3);
  });

  it('does not run again once it is cancelled', async () => {
    let runs = 0;
    const controller = new AbortController();
    receive(Outer, async (context) => {
      runs++;
      const loaded = await context.load(Show, streamId);
      await append(new Reserved(1));
      loaded.append(new Reserved(10));
    });
    const cancelling = dispatcher({
      log: Object.assign(Object.create(log) as EventLog, {
        eventRecord: log.eventRecord.bind(log),
        readStream: log.readStream.bind(log),
        commit: (...args: Parameters<EventLog['commit']>) => {
          queueMicrotask(() => controller.abort(new Error('gone')));
          return log.commit(...args);
        },
      }),
    });
    await expect(cancelling.invoke(new Outer(), { signal: controller.signal })).rejects.toThrow('gone');
    expect(runs).toBe(1);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { MessageRegistry, newId, type MessageClass, type MessageDescriptor } from '../messages/index.js';
import { currentSecurityContext } from '../security/index.js';
import { ConcurrencyConflictError, EventLog, InMemoryStorage, type StoredEvent } from '../storage/index.js';
import { LocalDispatcher } from './dispatcher.js';
import type { PipelineBehavior } from './pipeline-behavior.js';
import type { NamedReceptor, ReceptorContext } from './receptor.js';

class Outer {}
class Inner {}
class Happened {
  constructor(readonly what: string) {}
}

const message = (type: string, messageClass: MessageClass): MessageDescriptor => ({
  type,
  kind: 'command',
  class: messageClass,
  read: (value) => Object.assign(new messageClass(), value),
  write: JSON.stringify,
});
const messages = new MessageRegistry([
  message('test.Outer', Outer),
  message('test.Inner', Inner),
  message('test.Happened', Happened),
]);

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

type Receive = (command: object, context: ReceptorContext) => unknown;

let log: EventLog;
let receptors: Map<unknown, NamedReceptor>;
const streamId = newId();

beforeEach(() => {
  log = new EventLog(new InMemoryStorage(), messages);
  receptors = new Map();
});

const receive = (command: MessageClass, handler: Receive): void => {
  const receptor = { receive: handler };
  receptors.set(command, {
    name: `${command.name}Receptor`,
    commandType: `test.${command.name}`,
    resultType: null,
    receptor,
  });
};
const dispatcher = (...behaviors: PipelineBehavior[]): LocalDispatcher =>
  new LocalDispatcher({
    messages,
    log,
    guard: {
      isolatesTenants: false,
      get actor() {
        return currentSecurityContext();
      },
    },
    receptors,
    deciders: new Map(),
    snapshots: null,
    isShared: false,
    observeWaits: null,
    behaviors,
    decorate: null,
    onFailure: null,
    conflictRetries: 0,
    sendsCommands: false,
    schedulesCommands: true,
    publishFilter: null,
  });
const stored = async (): Promise<StoredEvent[]> => await collect(log.readAll());

describe('a command', () => {
  it('resolves with the result of its receptor', async () => {
    receive(Outer, () => 42);
    await expect(dispatcher().invoke(new Outer())).resolves.toBe(42);
  });

  it('has its events committed before it resolves, correlated with it and caused by it', async () => {
    receive(Outer, (_command, context) => {
      context.append(streamId, new Happened('one'));
      context.append(streamId, new Happened('two'));
      return context.envelope;
    });
    const correlationId = newId();
    const scope = { tenantId: 'acme' };
    const envelope = await dispatcher().invoke(new Outer(), { correlationId, scope });
    expect(await stored()).toMatchObject([
      { streamId, position: 0, sequence: 0, envelope: { type: 'test.Happened', payload: { what: 'one' }, scope } },
      { streamId, position: 1, sequence: 1, envelope: { payload: { what: 'two' }, correlationId, streamId } },
    ]);
    expect((await stored())[0]!.envelope.causationId).toBe((envelope as { id: string }).id);
  });

  it('stores nothing when its receptor fails', async () => {
    const failure = new Error('no');
    receive(Outer, (_command, context) => {
      context.append(streamId, new Happened('never'));
      throw failure;
    });
    await expect(dispatcher().invoke(new Outer())).rejects.toBe(failure);
    expect(await stored()).toEqual([]);
  });

  it('fails with a conflict, and stores nothing, when an expected position is stale', async () => {
    const other = newId();
    receive(Outer, (_command, context) => {
      context.append(other, new Happened('other stream'));
      context.append(streamId, new Happened('first'), { expectedPosition: -1 });
    });
    await dispatcher().invoke(new Outer());
    await expect(dispatcher().invoke(new Outer())).rejects.toThrow(
      new ConcurrencyConflictError(streamId, -1, 0).message,
    );
    expect(await stored()).toHaveLength(2);
  });

  it('cannot be invoked without a receptor, or if it is not a message', async () => {
    await expect(dispatcher().invoke(new Outer())).rejects.toMatchObject({ code: 'SVC_COMMAND_WITHOUT_RECEPTOR' });
    await expect(dispatcher().invoke({})).rejects.toMatchObject({ code: 'SVC_UNKNOWN_MESSAGE' });
  });

  it('can append only registered messages', async () => {
    receive(Outer, (_command, context) => context.append(streamId, { what: 'plain' }));
    await expect(dispatcher().invoke(new Outer())).rejects.toMatchObject({ code: 'SVC_UNKNOWN_MESSAGE' });
  });

  it('cannot append once it has ended', async () => {
    let late: ReceptorContext | undefined;
    receive(Outer, (_command, context) => void (late = context));
    await dispatcher().invoke(new Outer());
    expect(() => late?.append(streamId, new Happened('late'))).toThrow(
      expect.objectContaining({ code: 'SVC_UNIT_OF_WORK_CLOSED' }),
    );
    expect(await stored()).toEqual([]);
  });

  it('reads a stream with its own events at the end', async () => {
    receive(Inner, (_command, context) => context.append(streamId, new Happened('stored')));
    await dispatcher().invoke(new Inner());
    receive(Outer, async (_command, context) => {
      context.append(streamId, new Happened('mine'));
      const seen = await collect(context.readStream(streamId));
      const tail = await collect(context.readStream(streamId, 1));
      const beyond = await collect(context.readStream(streamId, 2));
      return [seen, tail, beyond].map((events) =>
        events.map(({ position, envelope }) => `${position} ${(envelope.payload as Happened).what}`),
      );
    });
    await expect(dispatcher().invoke(new Outer())).resolves.toEqual([['0 stored', '1 mine'], ['1 mine'], []]);
  });
});

describe('cancellation', () => {
  it('stops a command before its receptor runs', async () => {
    let ran = false;
    receive(Outer, () => (ran = true));
    const reason = new Error('gone');
    await expect(dispatcher().invoke(new Outer(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(ran).toBe(false);
  });

  it('commits nothing of a command whose receptor ignores the signal', async () => {
    const controller = new AbortController();
    receive(Outer, (_command, context) => {
      context.append(streamId, new Happened('never'));
      controller.abort(new Error('gone'));
    });
    await expect(dispatcher().invoke(new Outer(), { signal: controller.signal })).rejects.toThrow('gone');
    expect(await stored()).toEqual([]);
  });
});

describe('the signal of an append', () => {
  it('cancels the command, with everything that it and its nested commands appended', async () => {
    let endings = [new AbortController(), new AbortController()];
    receive(Inner, (_command, context) => {
      context.append(newId(), new Happened('inside'), { signal: endings[0]!.signal });
    });
    receive(Outer, async (_command, context) => {
      context.append(streamId, new Happened('outside'), { signal: endings[1]!.signal });
      await context.invoke(new Inner());
    });
    await dispatcher().invoke(new Outer());
    expect(await stored()).toHaveLength(2);
    const reason = new Error('The caller is gone.');
    for (const i of [0, 1]) {
      endings = [new AbortController(), new AbortController()];
      const late = dispatcher({
        handle: async (_context, next) => {
          await next();
          endings[i]!.abort(reason);
        },
      });
      await expect(late.invoke(new Outer())).rejects.toBe(reason);
    }
    expect(await stored()).toHaveLength(2);
  });

  it('makes the append throw if it has aborted', async () => {
    receive(Outer, (_command, context) => {
      expect(() => context.append(streamId, new Happened('no'), { signal: AbortSignal.abort() })).toThrow('abort');
    });
    await dispatcher().invoke(new Outer());
    expect(await stored()).toEqual([]);
  });
});

describe('a nested command', () => {
  it('is committed together with the outer command, and caused by it', async () => {
    let outer: ReceptorContext | undefined;
    receive(Inner, (_command, context) => {
      context.append(streamId, new Happened('inner'));
      return context.envelope;
    });
    receive(Outer, async (_command, context) => {
      outer = context;
      context.append(streamId, new Happened('before'));
      const inner = await context.invoke(new Inner());
      expect(await stored()).toEqual([]);
      context.append(streamId, new Happened('after'));
      return inner;
    });
    const inner = await dispatcher().invoke(new Outer());
    expect(inner).toMatchObject({ causationId: outer?.envelope.id, correlationId: outer?.envelope.correlationId });
    expect((await stored()).map(({ envelope }) => (envelope.payload as Happened).what)).toEqual([
      'before',
      'inner',
      'after',
    ]);
  });

  it('sees what the outer command has appended', async () => {
    receive(Inner, async (_command, context) => (await collect(context.readStream(streamId))).length);
    receive(Outer, async (_command, context) => {
      context.append(streamId, new Happened('outer'));
      return await context.invoke(new Inner());
    });
    await expect(dispatcher().invoke(new Outer())).resolves.toBe(1);
  });

  it('stores nothing when it fails, even if the outer command continues', async () => {
    receive(Inner, (_command, context) => {
      context.append(streamId, new Happened('inner'));
      throw new Error('no');
    });
    receive(Outer, async (_command, context) => {
      await context.invoke(new Inner()).catch(() => {});
      context.append(streamId, new Happened('outer'));
    });
    await dispatcher().invoke(new Outer());
    expect((await stored()).map(({ envelope }) => (envelope.payload as Happened).what)).toEqual(['outer']);
  });

  it('is dropped when the outer command fails', async () => {
    receive(Inner, (_command, context) => context.append(streamId, new Happened('inner')));
    receive(Outer, async (_command, context) => {
      await context.invoke(new Inner());
      throw new Error('no');
    });
    await expect(dispatcher().invoke(new Outer())).rejects.toThrow('no');
    expect(await stored()).toEqual([]);
  });
});

describe('pipeline behaviors', () => {
  const recording = (name: string, calls: string[]): PipelineBehavior => ({
    async handle(context, next) {
      calls.push(`${name} before ${String(context.metadata.get('ReceptorName'))}`);
      const response = await next();
      calls.push(`${name} after ${String(response)}`);
      return `${String(response)}+${name}`;
    },
  });

  it('run around the receptor, the first one outermost, and may change the response', async () => {
    const calls: string[] = [];
    receive(Outer, () => 'done');
    const response = await dispatcher(recording('a', calls), recording('b', calls)).invoke(new Outer());
    expect(calls).toEqual(['a before OuterReceptor', 'b before OuterReceptor', 'b after done', 'a after done+b']);
    expect(response).toBe('done+b+a');
  });

  it('run inside the unit of work: an error in one drops the changes of the command', async () => {
    receive(Outer, (_command, context) => context.append(streamId, new Happened('never')));
    const failing: PipelineBehavior = {
      async handle(_context, next) {
        await next();
        throw new Error('behavior');
      },
    };
    await expect(dispatcher(failing).invoke(new Outer())).rejects.toThrow('behavior');
    expect(await stored()).toEqual([]);
  });

  it('can stop a command', async () => {
    let ran = false;
    receive(Outer, () => (ran = true));
    const stopping: PipelineBehavior = { handle: () => Promise.resolve('stopped') };
    await expect(dispatcher(stopping).invoke(new Outer())).resolves.toBe('stopped');
    expect(ran).toBe(false);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { secretText } from '../json/index.js';
import { MessageRegistry, newId, type MessageClass, type MessageDescriptor } from '../messages/index.js';
import { currentSecurityContext, runAs, type SecurityContext } from '../security/index.js';
import {
  around,
  ConcurrencyConflictError,
  EventLog,
  InMemoryStorage,
  MessageSettledError,
  type CommitRecord,
} from '../storage/index.js';
import { CommandRequest, offerClaim } from './command-request.js';
import { LocalDispatcher, type DispatcherParts, type ReceivedCommand } from './dispatcher.js';
import { IdempotencyClaim } from './idempotency-claim.js';
import type { Invocation } from './invocation.js';
import type { NamedReceptor } from './receptor.js';

class Outer {}
class Inner {}
class Login {
  constructor(readonly password: string) {}
}
class Happened {}

const described = (messageClass: MessageClass, fields: Partial<MessageDescriptor> = {}): MessageDescriptor => ({
  type: `test.${messageClass.name}`,
  kind: 'command',
  class: messageClass,
  read: (value) => Object.assign(new messageClass(), value),
  write: JSON.stringify,
  ...fields,
});
const messages = new MessageRegistry([
  described(Outer),
  described(Inner),
  described(Login, { hasSecrets: true, write: ({ password }: Login) => JSON.stringify(secretText(password)) }),
  described(Happened, { kind: 'event' }),
]);

let storage: InMemoryStorage;
let log: EventLog;
let committed: CommitRecord[];
let receptors: Map<unknown, NamedReceptor>;
let failed: [attempt: number, error: unknown][];
const streamId = newId();

beforeEach(() => {
  storage = new InMemoryStorage();
  log = new EventLog(storage, messages);
  committed = [];
  log.onCommit((record) => void committed.push(record));
  receptors = new Map();
  failed = [];
});

const receive = (command: MessageClass, handler: (context: Invocation) => unknown): void =>
  void receptors.set(command, {
    name: `${command.name}Receptor`,
    commandType: `test.${command.name}`,
    resultType: null,
    receptor: { receive: (_command, context) => handler(context as Invocation) },
  });

const dispatcher = (parts: Partial<DispatcherParts> = {}): LocalDispatcher =>
  new LocalDispatcher({
    messages,
    log,
    guard: guardWith(false),
    receptors,
    deciders: new Map(),
    snapshots: null,
    isShared: false,
    observeWaits: null,
    behaviors: [],
    decorate: null,
    onFailure: ({ attempt }, error) => Promise.resolve(void failed.push([attempt, error])),
    conflictRetries: 1,
    sendsCommands: true,
    schedulesCommands: true,
    publishFilter: null,
    ...parts,
  });

const guardWith = (isolatesTenants: boolean): DispatcherParts['guard'] => ({
  isolatesTenants,
  get actor() {
    return currentSecurityContext();
  },
});

const received = (fields: Partial<ReceivedCommand> = {}): ReceivedCommand => {
  const id = newId();
  return { id, causationId: null, attempt: 1, settles: { received: [id] }, ...fields };
};

describe('the scope of a command', () => {
  const caller: SecurityContext = {
    scope: { tenantId: 'acme', userId: 'ann' },
    roles: new Set(),
    permissions: new Set(),
    source: 'test',
  };
  const scope = { tenantId: 'acme' };

  beforeEach(() => receive(Outer, ({ envelope }) => [envelope.scope, currentSecurityContext()]));

  it('makes the host act for its tenant if tenants are isolated', async () => {
    const isolated = dispatcher({ guard: guardWith(true) });
    const [, context] = (await isolated.invoke(new Outer(), { scope })) as unknown[];
    expect(context).toMatchObject({ scope, source: 'host' });
    expect(await isolated.invoke(new Outer(), { scope: null })).toEqual([null, null]);
    expect(await isolated.invoke(new Outer())).toEqual([null, null]);
    expect(await dispatcher().invoke(new Outer(), { scope }), 'not isolated').toEqual([scope, null]);
  });

  it('does not change who the caller is', async () => {
    const isolated = dispatcher({ guard: guardWith(true) });
    expect(await runAs(caller, () => isolated.invoke(new Outer(), { scope }))).toEqual([scope, caller]);
    const own = { tenantId: 'acme', userId: 'ann', source: 'test' };
    expect(await runAs(caller, () => isolated.invoke(new Outer()))).toEqual([own, caller]);
  });
});

describe('the envelope of a command', () => {
  it('has the correlation and the metadata that are given, or its own id and no metadata', async () => {
    receive(Outer, ({ envelope }) => envelope);
    const [correlationId, metadata] = [newId(), { trace: '1' }];
    expect(await dispatcher().invoke(new Outer(), { correlationId })).toMatchObject({ correlationId, metadata: {} });
    expect(await dispatcher().invoke(new Outer(), { metadata })).toMatchObject({ metadata, causationId: null });
    const { id, ...own } = (await dispatcher().invoke(new Outer())) as Invocation['envelope'];
    expect(own).toMatchObject({ correlationId: id, causationId: null, scope: null, metadata: {} });
  });

  it('is that of the message in which it arrived', async () => {
    receive(Outer, ({ envelope }) => envelope);
    const message = received({ causationId: newId() });
    const options = { correlationId: newId(), scope: { tenantId: 'acme' }, metadata: { trace: '1' } };
    const { id, causationId } = message;
    expect(await dispatcher().invoke(new Outer(), { ...options, received: message })).toMatchObject({
      ...options,
      id,
      causationId,
    });
    expect(committed).toMatchObject([{ received: [id] }]);
  });

  it('cannot have reserved metadata', async () => {
    receive(Outer, () => {});
    const reserved = dispatcher().invoke(new Outer(), { metadata: { svcLatest: newId() } });
    await expect(reserved).rejects.toMatchObject({ code: 'SVC_RESERVED_METADATA' });
  });
});

describe('the number of an attempt', () => {
  const fail = (): never => {
    throw new Error('no');
  };

  it('counts the failures of the same command, which its nested commands inherit', async () => {
    receive(Inner, ({ attempt }) => attempt);
    receive(Outer, async (context) => {
      if (context.attempt < 3) fail();
      return [context.attempt, await context.invoke(new Inner())];
    });
    const [host, command] = [dispatcher(), new Outer()];
    for (let i = 0; i < 2; i++) await expect(host.invoke(command)).rejects.toThrow('no');
    expect(await host.invoke(command)).toEqual([3, 3]);
    expect(failed.map(([attempt]) => attempt)).toEqual([1, 2]);
    await expect(host.invoke(new Outer()), 'another command').rejects.toThrow('no');
    expect(failed.at(-1)).toEqual([1, new Error('no')]);
  });

  it('continues that of a received message', async () => {
    receive(Outer, fail);
    const [host, command] = [dispatcher(), new Outer()];
    for (let i = 0; i < 2; i++) {
      await expect(host.invoke(command, { received: received({ attempt: 5 }) })).rejects.toThrow('no');
    }
    expect(failed.map(([attempt]) => attempt)).toEqual([5, 6]);
  });

  it('is that of its idempotency key, which a failed command releases', async () => {
    receive(Outer, ({ attempt }) => (attempt === 4 ? fail() : attempt));
    const request = new CommandRequest();
    request.claim = new IdempotencyClaim(Outer, 'key', 'hash', JSON.stringify, 4);
    const [host, command] = [dispatcher(), new Outer()];
    offerClaim(command, request);
    await expect(host.invoke(command, { signal: request })).rejects.toThrow('no');
    expect(await host.invoke(command, { signal: request })).toBe(5);
    expect(failed).toEqual([[4, new Error('no')]]);
    expect(committed).toMatchObject([{ idempotency: { id: 'key', requestHash: 'hash', result: '5' } }]);
  });
});

describe('a failed command', () => {
  it('rejects with what its receptor throws, and shows it to the observer, whose errors are ignored', async () => {
    const onFailure: DispatcherParts['onFailure'] = (_failed, error) => {
      failed.push([0, error]);
      return Promise.reject(new Error('ignored'));
    };
    for (const thrown of [new Error('no'), 'text', null, undefined]) {
      receive(Outer, () => {
        throw thrown;
      });
      await expect(dispatcher({ onFailure }).invoke(new Outer())).rejects.toBe(thrown);
      await expect(dispatcher({ onFailure: null }).invoke(new Outer())).rejects.toBe(thrown);
    }
    expect(failed.map(([, thrown]) => thrown)).toEqual([new Error('no'), 'text', null, undefined]);
  });

  it('rejects without the secrets of the command', async () => {
    const command = new Login('hunter2');
    receive(Login, () => {
      Object.assign(command, { password: 'removed' });
      throw new Error('hunter2 is wrong');
    });
    await expect(dispatcher().invoke(command)).rejects.toThrow('[secret] is wrong');
    expect(failed).toEqual([[1, new Error('[secret] is wrong')]]);
  });

  it('accepts no more changes', async () => {
    let late: Invocation | undefined;
    receive(Outer, (context) => {
      late = context;
      throw new Error('no');
    });
    await expect(dispatcher().invoke(new Outer())).rejects.toThrow('no');
    expect(() => late?.append(streamId, new Happened())).toThrow(
      expect.objectContaining({ code: 'SVC_UNIT_OF_WORK_CLOSED' }),
    );
  });

  it('rejects once its commit has failed, where the database commits in the background', async () => {
    const failing = around<DispatcherParts['log']>(log, {
      commit: async () => {
        await Promise.resolve();
        throw new Error('unavailable');
      },
    });
    receive(Outer, (context) => context.append(streamId, new Happened()));
    await expect(dispatcher({ log: failing }).invoke(new Outer())).rejects.toThrow('unavailable');
    expect(failed).toEqual([[1, new Error('unavailable')]]);
  });

  it('is not a failure if the message or the idempotency key was already committed', async () => {
    receive(Outer, () => 'done');
    const message = received();
    await dispatcher().invoke(new Outer(), { received: message });
    const again = dispatcher().invoke(new Outer(), { received: message });
    await expect(again).rejects.toMatchObject({ code: 'SVC_MESSAGE_SETTLED' });
    const claims = [1, 2].map(() => new IdempotencyClaim(Outer, 'key', 'hash', JSON.stringify, 1));
    const [first, second] = claims.map((claim) => {
      const request = Object.assign(new CommandRequest(), { claim });
      const command = new Outer();
      offerClaim(command, request);
      return dispatcher().invoke(command, { signal: request });
    });
    await first;
    await expect(second).rejects.toMatchObject({ code: 'SVC_IDEMPOTENCY_KEY_IN_USE' });
    expect(claims.map(({ isLost }) => isLost)).toEqual([false, true]);
    expect(failed).toEqual([]);
  });

  it('is a failure if its receptor used a message that was already committed', async () => {
    const settled = new MessageSettledError(newId());
    receive(Outer, () => {
      throw settled;
    });
    await expect(dispatcher().invoke(new Outer())).rejects.toBe(settled);
    expect(failed).toEqual([[1, settled]]);
  });

  it('does not run again on its own inside another command', async () => {
    let runs = 0;
    receive(Inner, async (context) => {
      for await (const event of context.readStream(streamId)) expect(event).toBeDefined();
      context.append(streamId, new Happened());
      runs++;
      throw new ConcurrencyConflictError(streamId, -1, 0);
    });
    receive(Outer, (context) => context.invoke(new Inner()));
    await expect(dispatcher().invoke(new Outer())).rejects.toMatchObject({ code: 'SVC_CONCURRENCY_CONFLICT' });
    expect(runs).toBe(1);
  });
});

describe('the last event of a request', () => {
  it('is the last one that its commands have committed', async () => {
    const request = new CommandRequest();
    receive(Inner, (context) => context.append(streamId, new Happened()));
    receive(Outer, async (context) => {
      await context.invoke(new Inner());
      throw new Error('no');
    });
    await expect(dispatcher().invoke(new Outer(), { signal: request })).rejects.toThrow('no');
    expect(request.lastEventId, 'not committed').toBeUndefined();
    receive(Outer, (context) => context.invoke(new Inner()));
    await dispatcher().invoke(new Outer(), { signal: request });
    expect(request.lastEventId).toBe(committed[0]!.events[0]!.id);
    receive(Outer, () => {});
    await dispatcher().invoke(new Outer(), { signal: request });
    expect(request.lastEventId, 'none after it').toBe(committed[0]!.events[0]!.id);
  });
});

describe('the context of a command', () => {
  it('shares its metadata with the behaviors', async () => {
    receive(Outer, ({ metadata }) => [metadata.get('ReceptorName'), metadata.get('Started')]);
    const behaviors: DispatcherParts['behaviors'] = [
      {
        handle(context, next) {
          context.metadata.set('Started', 'now');
          return next();
        },
      },
    ];
    expect(await dispatcher({ behaviors }).invoke(new Outer())).toEqual(['OuterReceptor', 'now']);
  });

  it('sends, schedules and cancels commands, and queues messages, with its commit', async () => {
    const queued = { id: newId(), lane: 'transport', destination: 'test', message: null, note: null } as const;
    receive(Inner, () => {});
    receive(Outer, (context) => {
      context.send(new Inner());
      context.send(new Inner(), { to: 'shop' });
      context.schedule(new Inner(), { after: { minutes: 1 }, key: 'k' });
      context.cancelScheduled('other');
      context.outbox.queue({ ...queued, eventId: null });
    });
    await dispatcher().invoke(new Outer());
    expect(committed).toMatchObject([
      {
        outgoing: [{ destination: 'inbox:shop', message: { type: 'test.Inner' } }, { id: queued.id }],
        schedules: {
          cancelled: [{ key: 'k' }, { key: 'other' }],
          added: [
            { due: { afterMs: 0 }, key: null },
            { due: { afterMs: 60_000 }, key: 'k' },
          ],
        },
      },
    ]);
  });
});

it('tells its observer how commands ended, from the time on at which there is one', async () => {
  const ended: unknown[] = [];
  const host = dispatcher();
  receive(Inner, () => 'result');
  receive(Outer, () => {
    throw new Error('no');
  });
  await host.invoke(new Inner());
  host.observe({
    succeeded: (ms) => void ended.push(ms >= 0),
    failed: (ms, error) => void ended.push([ms >= 0, error]),
  });
  expect(await host.invoke(new Inner())).toBe('result');
  await expect(host.invoke(new Outer())).rejects.toThrow('no');
  expect(ended).toEqual([true, [true, new Error('no')]]);
});

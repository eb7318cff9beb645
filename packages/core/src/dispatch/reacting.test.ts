import { beforeEach, describe, expect, it } from 'vitest';
import type { Uuid } from '../json/index.js';
import { MessageRegistry, newId, wrap } from '../messages/index.js';
import { currentSecurityContext } from '../security/index.js';
import { around, EventLog, InMemoryStorage, type CommitRecord } from '../storage/index.js';
import { DeferredSignal } from './cancellation.js';
import { LocalDispatcher, type DispatcherParts } from './dispatcher.js';
import { startReaction, type ReactionRun } from './reaction-invocation.js';
import type { ReactionContext } from './reaction.js';

class Happened {}
const messages = new MessageRegistry([
  { type: 'test.Happened', kind: 'event', class: Happened, read: () => new Happened(), write: JSON.stringify },
]);

let storage: InMemoryStorage;
let log: EventLog;
let committed: CommitRecord[];

beforeEach(async () => {
  storage = new InMemoryStorage();
  await storage.reactions.register('Charge', null);
  log = new EventLog(storage, messages);
  committed = [];
  log.onCommit((record) => void committed.push(record));
});

const event = () => wrap('test.Happened', new Happened(), { scope: { tenantId: 'acme' } });

/** Runs a reaction to an event. */
function react(
  fields: Partial<ReactionRun>,
  handler: (context: ReactionContext) => unknown,
  unitLog: DispatcherParts['log'] = log,
): Promise<void> {
  const dispatcher = new LocalDispatcher({
    messages,
    log: unitLog,
    guard: { isolatesTenants: false, actor: null },
    receptors: new Map(),
    deciders: new Map(),
    snapshots: null,
    isShared: false,
    observeWaits: null,
    behaviors: [],
    decorate: null,
    onFailure: null,
    conflictRetries: 1,
    sendsCommands: false,
    schedulesCommands: false,
    publishFilter: null,
  });
  const envelope = fields.envelope ?? event();
  return dispatcher.react({
    name: 'Charge',
    start: startReaction({ react: async (_event, context) => void (await handler(context)) }),
    envelope,
    key: newId,
    attempt: 2,
    cancellation: new DeferredSignal(),
    reacted: { reaction: 'Charge', segment: 0, term: 0, eventId: envelope.id },
    ...fields,
  });
}

/** Another command appends an event. */
async function appendAsOther(streamId: Uuid): Promise<void> {
  const record = log.eventRecord(streamId, event());
  await log.commit({ events: [record], outgoing: [], delivered: null, received: [] });
}

describe('a reaction', () => {
  it('acts for the scope of its event, and commits its changes together with the event', async () => {
    const seen: unknown[] = [];
    const [envelope, key, scope] = [event(), newId(), { tenantId: 'acme' }];
    const reacted = { reaction: 'Charge', segment: 0, term: 0, eventId: envelope.id };
    await react({ envelope, key: () => key, reacted }, (context) => {
      seen.push([context.key, context.attempt, context.metadata.get('ReceptorName'), currentSecurityContext()?.scope]);
      context.append(newId(), new Happened());
    });
    expect(seen).toEqual([[key, 2, 'Charge', scope]]);
    expect(committed).toMatchObject([{ events: [{ causationId: envelope.id, scope }], reacted }]);
    await react({ envelope: { ...event(), scope: null } }, () => void seen.push(currentSecurityContext()?.scope));
    expect(seen[1]).toEqual({});
  });

  it('commits nothing once it is cancelled', async () => {
    let runs = 0;
    await expect(react({ cancellation: AbortSignal.abort(new Error('gone')) }, () => void runs++)).rejects.toThrow(
      'gone',
    );
    expect(runs).toBe(0);
    const controller = new AbortController();
    const cancelled = react({ cancellation: controller.signal }, (context) => {
      context.append(newId(), new Happened());
      controller.abort(new Error('gone'));
    });
    await expect(cancelled).rejects.toThrow('gone');
    expect(committed).toEqual([]);
  });

  it('runs again if a stream has changed since it read it, as often as commands do', async () => {
    for (const [conflicts, runs] of [
      [1, 2],
      [2, 2],
    ] as const) {
      let count = 0;
      const id = newId();
      const reacting = react({}, async (context) => {
        for await (const one of context.readStream(id)) expect(one).toBeDefined();
        if (++count <= conflicts) await appendAsOther(id);
        context.append(id, new Happened());
      });
      if (conflicts < runs) await reacting;
      else await expect(reacting).rejects.toMatchObject({ code: 'SVC_CONCURRENCY_CONFLICT' });
      expect(count).toBe(runs);
    }
  });

  it('does not run again once it is cancelled', async () => {
    let runs = 0;
    const [controller, id] = [new AbortController(), newId()];
    const cancelling = around<DispatcherParts['log']>(log, {
      commit(...args) {
        queueMicrotask(() => controller.abort(new Error('gone')));
        return log.commit(...args);
      },
    });
    const reacting = react(
      { cancellation: controller.signal },
      async (context) => {
        runs++;
        for await (const one of context.readStream(id)) expect(one).toBeDefined();
        await appendAsOther(id);
        context.append(id, new Happened());
      },
      cancelling,
    );
    await expect(reacting).rejects.toThrow('gone');
    expect(runs).toBe(1);
  });

  it.each([
    ['at once', (result: unknown) => result],
    ['later', (result: unknown) => Promise.resolve(result)],
  ])('commits its changes, and nothing that it returns: %s', async (_when, returned) => {
    const start = startReaction({
      react(_event, context) {
        context.append(newId(), new Happened());
        return returned({ outgoing: [{}], step: {}, received: [newId()] }) as void;
      },
    });
    await react({ start }, () => {});
    expect(committed).toMatchObject([{ events: [{ type: 'test.Happened' }], outgoing: [], received: [] }]);
    expect(committed[0]).not.toHaveProperty('step');
  });

  it('commits nothing if it throws at once', async () => {
    const start = startReaction({
      react(_event, context) {
        context.append(newId(), new Happened());
        throw new Error('no');
      },
    });
    await expect(react({ start }, () => {})).rejects.toThrow('no');
    expect(committed).toEqual([]);
  });

  it('does not run again after any other error, and accepts no more changes then', async () => {
    let runs = 0;
    let late: ReactionContext | undefined;
    const failing = react({}, (context) => {
      runs++;
      late = context;
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(runs).toBe(1);
    expect(() => late?.append(newId(), new Happened())).toThrow(
      expect.objectContaining({ code: 'SVC_UNIT_OF_WORK_CLOSED' }),
    );
  });
});

import { beforeEach, expect, it } from 'vitest';
import { LocalDispatcher, type ReceptorContext } from '../dispatch/index.js';
import { firstIdOf, MessageRegistry, newId, timeOfId, type MessageDescriptor } from '../messages/index.js';
import { currentSecurityContext, permission, runAs, type SecurityContext } from '../security/index.js';
import { EventLog, InMemoryStorage, MessageSettledError, type MessageRecord } from '../storage/index.js';
import { CommandInbox } from './command-inbox.js';

class Act {
  amount = 0;
}

const act: MessageDescriptor<Act> = {
  type: 'test.Act',
  kind: 'command',
  class: Act,
  read: (value, issues) => {
    const { amount } = value as Partial<Act>;
    if (typeof amount !== 'number') issues.add('amount', 'has to be a number');
    return Object.assign(new Act(), value);
  },
  write: JSON.stringify,
};
const messages = new MessageRegistry([act]);

let storage: InMemoryStorage;
/** The contexts of the commands that have run. */
let runs: { readonly command: object; readonly context: ReceptorContext; readonly actor: SecurityContext | null }[];
let inbox: CommandInbox;
beforeEach(() => {
  storage = new InMemoryStorage();
  runs = [];
  const receive = (command: object, context: ReceptorContext): void => {
    runs.push({ command, context, actor: currentSecurityContext() });
  };
  const dispatcher = new LocalDispatcher({
    messages,
    log: new EventLog(storage, messages),
    guard: {
      isolatesTenants: false,
      get actor() {
        return currentSecurityContext();
      },
    },
    receptors: new Map([
      [Act, { name: 'ActReceptor', commandType: 'test.Act', resultType: null, receptor: { receive } }],
    ]),
    deciders: new Map(),
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
  });
  inbox = new CommandInbox(messages, dispatcher, {
    own: (body) => Promise.resolve(body.replace('sealed', '7')),
    received: (type, body) => Promise.resolve(type === 'test.Act' ? body.replace('sealed', '8') : ''),
  });
});

const record = (fields: Partial<MessageRecord> = {}): MessageRecord => ({
  id: newId(),
  type: 'test.Act',
  body: '{"amount":1}',
  timestamp: 0,
  correlationId: newId(),
  causationId: newId(),
  scope: null,
  metadata: {},
  ...fields,
});

it('reads a command after its personal values are decrypted, and rejects one that does not match its type', async () => {
  expect(await inbox.read(record({ body: '{"amount":sealed}' }))).toMatchObject(
    Object.assign(new Act(), { amount: 7 }),
  );
  expect(await inbox.readReceived(record({ body: '{"amount":sealed}' })), 'of another host').toMatchObject({
    amount: 8,
  });
  await expect(inbox.read(record({ body: '{"amount":"1"}' }))).rejects.toMatchObject({ code: 'SVC_INVALID_MESSAGE' });
  await expect(inbox.read(record({ body: '{' }))).rejects.toMatchObject({ code: 'SVC_MALFORMED_JSON' });
});

const scope = { tenantId: 'acme', userId: 'ann', userName: 'Ann', source: 'inbox', svcReactions: 'a,b' };

it.each(['run', 'runScheduled'] as const)(
  '%s runs a command for a scope, without roles and permissions',
  async (how) => {
    const message = record({ metadata: { note: 'x', origin: 'north' } });
    const [command, settles] = [new Act(), { received: [message.id] }];
    if (how === 'run') await inbox.run(command, message, scope, settles, 1);
    else await inbox.runScheduled(command, message, { settles, attempt: 1, scope });
    const [run] = runs;
    expect(run!.command).toBe(command);
    const { id, correlationId, causationId } = message;
    expect(run!.context.envelope).toMatchObject({ id, correlationId, causationId, scope });
    expect(run!.context.envelope.metadata).toEqual({ note: 'x' });
    expect(run!.actor).toEqual({
      scope: { tenantId: 'acme', userId: 'ann' },
      roles: new Set(),
      permissions: new Set(),
      source: 'inbox',
      userName: 'Ann',
      reactions: ['a', 'b'],
    });
    expect(
      () => storage.commit({ events: [], outgoing: [], delivered: null, received: [id] }),
      'it is settled',
    ).toThrow(MessageSettledError);
  },
);

it('has a user without a name and no reactions, if the scope names none', async () => {
  await inbox.run(new Act(), record(), { source: 'inbox' }, { received: [] }, 1);
  expect(runs[0]!.actor).not.toBeNull();
  for (const name of ['userName', 'reactions']) expect(runs[0]!.actor).not.toHaveProperty(name);
});

it('runs a recurring command as the host, whoever starts it', async () => {
  const operator: SecurityContext = {
    scope: { userId: 'olga' },
    roles: new Set(),
    permissions: new Set([permission('system:write')]),
    source: 'jwt',
  };
  const message = record({ metadata: { note: 'x' } });
  const run = { settles: { received: [message.id] }, attempt: 1, scope: null };
  await runAs(operator, () => inbox.runScheduled(new Act(), message, run));
  expect(runs[0]!.actor).toBeNull();
  const { id, correlationId } = message;
  expect(runs[0]!.context.envelope).toMatchObject({ id, correlationId, metadata: { note: 'x' } });
});

it.each(['run', 'runScheduled'] as const)('%s creates ids after that of the command', async (how) => {
  const message = record({ id: firstIdOf(timeOfId(newId())! + 1_000) });
  if (how === 'run') await inbox.run(new Act(), message, scope, { received: [] }, 1);
  else await inbox.runScheduled(new Act(), message, { settles: { received: [] }, attempt: 1, scope });
  expect(newId() > message.id).toBe(true);
});

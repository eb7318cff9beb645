import { beforeEach, expect, it } from 'vitest';
import { AccessControl } from '../access/index.js';
import { LocalDispatcher, recurringKeyPrefix, type ReceptorContext } from '../dispatch/index.js';
import { registry } from '../generated/registry.js';
import type { Uuid } from '../json/index.js';
import { inboxOf, MessageRegistry, newId, type MessageDescriptor } from '../messages/index.js';
import { currentSecurityContext, permission, runAs, type SecurityContext } from '../security/index.js';
import { DeadLetterCause, EventLog, InMemoryStorage, type DeadLetterRecord } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import type { Admission } from './admission.js';
import { asWritten, CommandInbox } from './command-inbox.js';
import { deadLetterOf } from './dead-lettering.js';
import { DeadLetters } from './dead-letters.js';
import { MessageRejectedError } from './message-rejected-error.js';
import type { ReceivedMessage } from './transport.js';

class Act {
  amount = 0;
}
class Acted {
  amount = 0;
}

const described = (type: string, kind: 'command' | 'event', made: typeof Act): MessageDescriptor => ({
  type,
  kind,
  class: made,
  read: (value, issues) => {
    if (typeof (value as Partial<Act>).amount !== 'number') issues.add('amount', 'has to be a number');
    return Object.assign(new made(), { amount: (value as Act).amount });
  },
  write: JSON.stringify,
});
const messages = new MessageRegistry([
  ...registry.messages,
  described('test.Act', 'command', Act),
  described('test.Acted', 'event', Acted),
]);
const rejection = new MessageRejectedError('UnprovenOrigin', 'no');

/** A host with the database of most tenants, and that of the tenant `far`. */
class Host {
  readonly storage = new InMemoryStorage();
  readonly far = new InMemoryStorage();
  readonly tenants: string[] = [];
  readonly runs: { readonly context: ReceptorContext; readonly actor: SecurityContext | null }[] = [];
  readonly attempts: number[] = [];
  failure: Error | null = null;
  admitted: ReturnType<Admission['event']> = { origin: 'sender' };
  arrivals: unknown[] = [];
  readonly letters: DeadLetters;

  constructor() {
    const [log, far] = [this.storage, this.far].map((storage) => new EventLog(storage, messages)) as [
      EventLog,
      EventLog,
    ];
    const receive = (_command: object, context: ReceptorContext): void => {
      this.runs.push({ context, actor: currentSecurityContext() });
      if (this.failure !== null) throw this.failure;
    };
    const access = new AccessControl([], {} as SystemEventEmitter, { report: () => {} });
    const inboxFor = (of: EventLog): CommandInbox => {
      const dispatcher = new LocalDispatcher({
        messages,
        log: of,
        guard: access,
        receptors: new Map([
          [Act, { name: 'ActReceptor', commandType: 'test.Act', resultType: null, receptor: { receive } }],
        ]),
        deciders: new Map(),
        snapshots: null,
        isShared: false,
        observeWaits: null,
        behaviors: [],
        decorate: null,
        onFailure: ({ attempt }) => Promise.resolve(void this.attempts.push(attempt)),
        conflictRetries: 0,
        sendsCommands: false,
        schedulesCommands: false,
        publishFilter: null,
      });
      return new CommandInbox(messages, dispatcher, asWritten);
    };
    this.letters = new DeadLetters({
      logOf: () => log,
      logOfTenant: (tenant) => {
        this.tenants.push(tenant);
        return tenant === 'far' ? far : log;
      },
      messages,
      access,
      admission: {
        event: () => this.admitted,
        command: (...arrival) => {
          this.arrivals.push(arrival);
          return this.admitted!;
        },
      },
      inbox: inboxFor(log),
      inboxOf: inboxFor,
      prepareOf: () => null,
    });
  }

  /** Stores a dead letter. */
  add(direction: DeadLetterRecord['direction'], fields: Partial<ReceivedMessage> = {}): DeadLetterRecord {
    const letter = letterOf(direction, fields);
    this.storage.commit({ ...empty, deadLetters: [letter] });
    return letter;
  }

  async left(): Promise<readonly Uuid[]> {
    return (await this.storage.readDeadLetters(null, 1_000)).map(({ id }) => id);
  }

  /** The types and bodies of the emitted system events. */
  async emitted(): Promise<readonly (readonly [string, Readonly<Record<string, unknown>>])[]> {
    const queued = await this.storage.readOutgoing('system', 10);
    return queued.map(({ message }) => [message!.type, JSON.parse(message!.body) as Record<string, unknown>]);
  }
}

const empty = { events: [], outgoing: [], delivered: null, received: [] };

function letterOf(direction: DeadLetterRecord['direction'], fields: Partial<ReceivedMessage> = {}): DeadLetterRecord {
  const id = newId();
  const names = { type: 'test.Acted', destination: 'test', origin: 'sender', provenOrigin: 'sender' };
  const rest = { body: '{"amount":1}', timestamp: 0, causationId: null, scope: null, metadata: {} };
  const ids = { id, streamId: newId(), correlationId: id };
  const message: ReceivedMessage = { ...ids, ...names, ...rest, routedType: null, signature: null, ...fields };
  const failure = { cause: DeadLetterCause.Unreadable, error: new Error('no'), attempts: 3, firstFailedAt: 5 };
  return { ...deadLetterOf({ direction: 'incoming', message, ...failure }, messages), direction };
}

async function eventsIn(storage: InMemoryStorage) {
  const events = [];
  for await (const event of storage.readAll()) events.push(event);
  return events;
}

const command = { type: 'test.Act', destination: inboxOf('this') };
const operator = (tenantId?: string): SecurityContext => ({
  scope: { userId: 'olga', ...(tenantId !== undefined && { tenantId }) },
  roles: new Set(),
  permissions: new Set(['system:read', 'system:write'].map(permission)),
  source: 'jwt',
});
const unknown = { code: 'SVC_UNKNOWN_DEAD_LETTER' };

let host: Host;
beforeEach(() => void (host = new Host()));

it('lists 50 by default, at least one, and at most 500', async () => {
  const deadLetters = Array.from({ length: 501 }, () => letterOf('incoming'));
  host.storage.commit({ ...empty, deadLetters });
  const sizeOf = async (limit?: number) =>
    (await host.letters.list(limit === undefined ? undefined : { limit })).length;
  expect(await Promise.all([undefined, 0, -1, 2, 500, 1_000].map(sizeOf))).toEqual([50, 1, 1, 2, 500, 500]);
});

it('shows and changes the dead letters of the tenant of the actor only', async () => {
  const [own, other] = [host.add('incoming', { scope: { tenantId: 'acme' } }), host.add('incoming')];
  await runAs(operator('acme'), async () => {
    expect(await host.letters.list()).toEqual([own]);
    expect(await host.letters.find(own.id)).toEqual(own);
    expect(await host.letters.find(other.id)).toBeNull();
    await expect(host.letters.replay(other.id)).rejects.toMatchObject(unknown);
    await expect(host.letters.edit(other.id, '{"amount":2}', 'x')).rejects.toMatchObject(unknown);
    await expect(host.letters.discard(other.id)).rejects.toMatchObject(unknown);
    await host.letters.discard(own.id);
  });
  expect(await host.letters.list(), 'the host sees all').toEqual([other]);
  expect(await host.letters.find(newId())).toBeNull();
});

it('emits what was discarded or replayed, by whom and why', async () => {
  const [first, second] = [host.add('incoming'), host.add('incoming', { scope: { tenantId: 'acme' } })];
  await host.letters.discard(first.id, 'A test.');
  await runAs(operator('acme'), () => host.letters.replay(second.id, 'Fixed.'));
  const named = ({ id, message }: DeadLetterRecord) => ({ deadLetterId: id, messageId: message.id });
  const common = { messageType: 'test.Acted', direction: 'incoming', destination: 'test' };
  expect(await host.emitted()).toMatchObject([
    ['svc.DeadLetterDiscarded', { ...named(first), ...common, reason: 'A test.' }],
    ['svc.DeadLetterReplayed', { ...named(second), ...common, reason: 'Fixed.', scope: { userId: 'olga' } }],
  ]);
  expect((await host.emitted())[0]![1]).not.toHaveProperty('scope');
  const third = host.add('incoming');
  await host.letters.discard(third.id);
  expect((await host.emitted())[2]![1]).not.toHaveProperty('reason');
});

it('returns an outgoing event to the outbox', async () => {
  const letter = host.add('outgoing');
  host.storage.commit({ ...empty, events: [{ ...letter.message, expectedPosition: undefined }] });
  await host.letters.replay(letter.id);
  const [again] = await host.storage.readOutgoing('transport', 10);
  expect(again).toMatchObject({ destination: 'test', message: null, event: { id: letter.message.id } });
  expect(again!.id).not.toBe(letter.message.id);
  expect(await host.left()).toEqual([]);
});

it('returns an outgoing command to the outbox as it is, or an edited one as the service writes it', async () => {
  const body = '{"amount":1, "more":2}';
  const [first, second] = [host.add('outgoing', { ...command, body }), host.add('outgoing', { ...command, body })];
  await host.letters.replay(first.id);
  await expect(host.letters.edit(second.id, '{"amount":"x"}', 'x')).rejects.toMatchObject({
    code: 'SVC_INVALID_MESSAGE',
  });
  const id = await host.letters.edit(second.id, '{"amount":7, "more":2}', 'x');
  const queued = await host.storage.readOutgoing('transport', 10);
  expect(queued).toMatchObject([
    { destination: command.destination, message: { id: first.message.id, body } },
    { destination: command.destination, message: { id, body: '{"amount":7}' } },
  ]);
  expect(queued[0]!.message).not.toHaveProperty('streamId');
});

it('appends an incoming event with its origin, or an edited one without', async () => {
  const [first, second] = [host.add('incoming'), host.add('incoming')];
  await host.letters.replay(first.id);
  const id = await runAs(operator(), () => host.letters.edit(second.id, '{"amount":7}', 'x'));
  expect(await eventsIn(host.storage)).toMatchObject([
    { id: first.message.id, scope: { source: 'transport' }, metadata: { origin: 'sender' } },
    {
      id,
      streamId: second.message.streamId,
      body: '{"amount":7}',
      scope: { userId: 'olga', source: 'operator' },
      metadata: { origin: null, claimedOrigin: 'sender' },
    },
  ]);
  expect(await host.left()).toEqual([]);
});

it('appends no event that is not admitted, unreadable or from this host', async () => {
  const [good, bad] = [host.add('incoming'), host.add('incoming', { body: '{}' })];
  host.admitted = rejection;
  await expect(host.letters.replay(good.id)).rejects.toBe(rejection);
  host.admitted = null;
  await expect(host.letters.replay(good.id)).rejects.toMatchObject({ rejectionCause: 'OriginNotAccepted' });
  host.admitted = { origin: 'sender' };
  await expect(host.letters.replay(bad.id)).rejects.toMatchObject({ code: 'SVC_UNREADABLE_EVENT' });
  expect(await eventsIn(host.storage)).toEqual([]);
  expect(await host.left()).toEqual([good.id, bad.id]);
});

it.each([
  ['event', {}],
  ['command', command],
])('replays no %s with metadata that no database can store', async (_, fields) => {
  const letter = host.add('incoming', { ...fields, metadata: { svcTenant: 'a\0b' } });
  await expect(host.letters.replay(letter.id)).rejects.toMatchObject({ code: 'SVC_MALFORMED_CLOUD_EVENT' });
  expect([await eventsIn(host.storage), host.runs, host.arrivals]).toEqual([[], [], []]);
  expect(await host.left()).toEqual([letter.id]);
});

it('appends an event to the database of its tenant', async () => {
  const letter = host.add('incoming', { scope: { tenantId: 'far' } });
  await host.letters.replay(letter.id);
  expect((await eventsIn(host.far)).map(({ id }) => id)).toEqual([letter.message.id]);
  expect(await eventsIn(host.storage)).toEqual([]);
  expect(await host.left()).toEqual([]);
});

it('runs an incoming command as its sender, or an edited one as the operator', async () => {
  const scope = { tenantId: 'acme', userId: 'ann', roles: 'admin' };
  const [first, second] = [host.add('incoming', { ...command, scope }), host.add('incoming', command)];
  await host.letters.replay(first.id);
  await runAs(operator(), () => host.letters.edit(second.id, '{"amount":7}', 'x'));
  expect(host.runs.map(({ context }) => context.envelope.scope)).toEqual([
    { tenantId: 'acme', userId: 'ann', source: 'inbox', origin: 'sender' },
    { userId: 'olga', source: 'operator' },
  ]);
  expect(host.tenants).toEqual(['acme', '']);
  expect(host.arrivals[0], 'its age is that at its arrival').toEqual([
    expect.objectContaining({ id: first.message.id, provenOrigin: 'sender' }),
    5,
  ]);
  expect(await host.left()).toEqual([]);
});

it('runs no command that is not admitted, and counts the replays that fail', async () => {
  const letter = host.add('incoming', command);
  host.admitted = rejection;
  await expect(host.letters.replay(letter.id)).rejects.toBe(rejection);
  expect(host.runs).toEqual([]);
  host.admitted = { origin: 'sender' };
  host.failure = new Error('The bank is closed.');
  for (let i = 0; i < 3; i++) await expect(host.letters.replay(letter.id)).rejects.toBe(host.failure);
  expect(host.attempts, 'after the three attempts of the dead letter').toEqual([4, 5, 6]);
  expect(await host.left()).toEqual([letter.id]);
});

it('runs a scheduled command without admission, for the tenant and user that scheduled it', async () => {
  host.admitted = rejection;
  const scope = { tenantId: 'acme', userId: 'ann', source: 'jwt' };
  const scheduled = { type: 'test.Act', destination: '' };
  const [first, second] = [host.add('scheduled', { ...scheduled, scope }), host.add('scheduled', scheduled)];
  await host.letters.replay(first.id);
  await runAs(operator(), () => host.letters.edit(second.id, '{"amount":7}', 'x'));
  expect(host.runs.map(({ context }) => context.envelope.scope)).toEqual([
    { tenantId: 'acme', userId: 'ann', source: 'schedule' },
    { userId: 'olga', source: 'operator' },
  ]);
  expect(host.tenants, 'none is needed without a tenant').toEqual(['acme']);
  expect((await host.emitted()).map(([type]) => type)).toEqual(['svc.DeadLetterReplayed', 'svc.DeadLetterReplayed']);
  expect(await host.left()).toEqual([]);
  await expect(host.letters.replay(first.id)).rejects.toMatchObject(unknown);
});

it('runs a recurring command as the host', async () => {
  const letter = host.add('scheduled', { type: 'test.Act', destination: `${recurringKeyPrefix}nightly` });
  await runAs(operator(), () => host.letters.replay(letter.id));
  expect(host.runs.map(({ actor }) => actor)).toEqual([null]);
});

it('does not run a scheduled command of a tenant whose data are in another database now', async () => {
  const letter = host.add('scheduled', { type: 'test.Act', destination: '', scope: { tenantId: 'far' } });
  await expect(host.letters.replay(letter.id)).rejects.toMatchObject({ rejectionCause: 'UnknownTenant' });
  expect(host.runs).toEqual([]);
  expect(await host.left()).toEqual([letter.id]);
});

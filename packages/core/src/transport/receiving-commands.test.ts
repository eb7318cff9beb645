import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LocalDispatcher, type Invocation, type ReceptorContext } from '../dispatch/index.js';
import { ServiceError, type ErrorCode } from '../errors/index.js';
import { registry } from '../generated/registry.js';
import { MessageRegistry, newId, type MessageDescriptor } from '../messages/index.js';
import { currentSecurityContext } from '../security/index.js';
import {
  EventLog,
  ForeignStreamError,
  InMemoryStorage,
  StorageUnavailableError,
  type CommitRecord,
} from '../storage/index.js';
import { asWritten, CommandInbox } from './command-inbox.js';
import { deadLettering } from './dead-lettering.js';
import { MessageRejectedError } from './message-rejected-error.js';
import type { PlaceTenant } from './place-tenant.js';
import { isLastingFailure, receivingCommands } from './receiving-commands.js';
import { RejectedLetters } from './rejected-letters.js';
import { RejectionTally } from './rejection-tally.js';
import type { ReceivedMessage } from './transport.js';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

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

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

class Act {
  amount = 0;
}
class Acted {}

const described = (type: string, kind: 'command' | 'event', made: MessageDescriptor['class']): MessageDescriptor => ({
  type,
  kind,
  class: made,
  read: (value) => Object.assign(new made(), value),
  write: JSON.stringify,
});
const messages = new MessageRegistry([
  ...registry.messages,
  described('test.Act', 'command', Act),
  described('test.Acted', 'event', Acted),
]);

/** A storage that can fail. */
class Storage extends InMemoryStorage {
  failure: Error | null = null;
  #once = false;

  override commit(record: CommitRecord): void {
    const { failure } = this;
    if (this.#once) [this.#once, this.failure] = [false, null];
    if (failure !== null) throw failure;
    super.commit(record);
  }

  failOnce(failure: Error): void {
    [this.#once, this.failure] = [true, failure];
  }
}

interface Setup {
  readonly act?: (context: ReceptorContext) => void;
  readonly place?: PlaceTenant;
  readonly rejection?: MessageRejectedError;
}

/** A host with a receptor, which admits every command, or none if there is a rejection. */
function host({ act = () => {}, place = () => null, rejection }: Setup = {}) {
  const storage = new Storage();
  const log = new EventLog(storage, messages);
  const receive = (_command: object, context: ReceptorContext): void => {
    context.append(newId(), new Acted());
    act(context);
  };
  /** The attempts that have failed, by number. */
  const attempts: number[] = [];
  const onFailure = ({ attempt }: Invocation): Promise<void> => Promise.resolve(void attempts.push(attempt));
  const named = { name: 'ActReceptor', commandType: 'test.Act', resultType: null, receptor: { receive } };
  const dispatcher = new LocalDispatcher({
    messages,
    log,
    guard: {
      isolatesTenants: false,
      get actor() {
        return currentSecurityContext();
      },
    },
    receptors: new Map([[Act, named]]),
    deciders: new Map(),
    snapshots: null,
    isShared: false,
    observeWaits: null,
    behaviors: [],
    decorate: null,
    onFailure,
    conflictRetries: 0,
    sendsCommands: false,
    schedulesCommands: false,
    publishFilter: null,
  });
  const reports: unknown[] = [];
  const report = (error: unknown): void => void reports.push(error);
  const tally = new RejectionTally({ log, messages, options: null, isDeclared: () => true, report: () => {} });
  const receiveCommand = receivingCommands({
    inbox: new CommandInbox(messages, dispatcher, asWritten),
    admission: { command: () => rejection ?? { origin: 'sender' } },
    place,
    log,
    toDeadLetters: deadLettering(messages, null),
    rejected: new RejectedLetters(log, messages, tally),
    report,
  });
  const acted = async () => (await collect(storage.readAll())).length;
  const letters = () => storage.readDeadLetters(null, 10);
  return { storage, receive: receiveCommand, reports, attempts, acted, letters };
}

function command(fields: Partial<ReceivedMessage> = {}): ReceivedMessage {
  return receivedMessage({ type: 'test.Act', destination: 'inbox:this', body: '{"amount":1}', ...fields });
}

const lasting: readonly ErrorCode[] = [
  'SVC_COMMAND_REJECTED',
  'SVC_INVALID_MESSAGE',
  'SVC_ACCESS_DENIED',
  'SVC_UNAUTHENTICATED',
];

it('knows the failures that a retry would not fix', () => {
  expect(lasting.filter((code) => isLastingFailure(new ServiceError(code, 'no')))).toEqual(lasting);
  expect(isLastingFailure(new ForeignStreamError(newId()))).toBe(true);
  expect(isLastingFailure(new ServiceError('SVC_MESSAGE_SETTLED', 'no'))).toBe(false);
  expect(isLastingFailure(Object.assign(new Error('no'), { code: 'SVC_COMMAND_REJECTED' }))).toBe(false);
});

it('runs a command once, for the tenant and user of its sender, in the attempt that it is', async () => {
  const scopes: unknown[] = [];
  const { receive, acted, reports } = host({ act: (context) => scopes.push(context.envelope.scope) });
  const message = command({ scope: { tenantId: 'acme', userId: 'ann', roles: 'admin' } });
  for (let i = 0; i < 2; i++) expect(await receive(message)).toBeNull();
  expect(await acted()).toBe(1);
  expect(scopes[0]).toEqual({ tenantId: 'acme', userId: 'ann', source: 'inbox', origin: 'sender' });
  expect(reports).toEqual([]);
});

it('dead-letters a command that is rejected at once, without a report', async () => {
  const failure = new ServiceError('SVC_COMMAND_REJECTED', 'There is no such order.');
  const act = (): never => {
    throw failure;
  };
  const { receive, acted, letters, reports, attempts } = host({ act });
  const message = command();
  expect(await receive(message)).toBeNull();
  expect(await letters()).toMatchObject([
    {
      direction: 'incoming',
      cause: 'Refused',
      attempts: 1,
      message: { id: message.id },
      errorMessage: failure.message,
    },
  ]);
  expect([await acted(), reports.length]).toEqual([0, 0]);
  expect(await receive(message), 'its acknowledgement was lost').toBeNull();
  expect(await letters()).toHaveLength(1);
  expect(attempts, 'each is the first of a delivery').toEqual([1, 1]);
});

it('dead-letters an unreadable command at once', async () => {
  const { receive, letters, acted } = host();
  const message = command({ body: '{' });
  for (let i = 0; i < 2; i++) expect(await receive(message)).toBeNull();
  expect(await letters()).toMatchObject([{ cause: 'Unreadable', attempts: 1, message: { id: message.id, body: '{' } }]);
  expect(await acted()).toBe(0);
});

it('retries a command that fails, with the time of its first failure, and counts again after a success', async () => {
  let fails = true;
  const act = (): void => {
    if (fails) throw new Error('The bank is closed.');
  };
  const { receive, letters, acted, reports, attempts } = host({ act });
  const first = command();
  for (let i = 0; i < 9; i++) await expect(receive(first)).rejects.toThrow('The bank is closed.');
  fails = false;
  await receive(first);
  expect(await acted()).toBe(1);
  fails = true;
  const second = command();
  const failedAt = Date.now();
  for (let i = 0; i < 9; i++) {
    await expect(receive(second)).rejects.toThrow('The bank is closed.');
    vi.advanceTimersByTime(1_000);
  }
  expect(await receive(second)).toBeNull();
  expect(await letters()).toMatchObject([
    { cause: 'AttemptsExhausted', attempts: 10, firstFailedAt: failedAt, lastFailedAt: failedAt + 9_000 },
  ]);
  expect(reports).toHaveLength(19);
  expect(attempts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

it('retries without limit or report while the storage is unavailable', async () => {
  const { storage, receive, letters, acted, reports } = host();
  const message = command();
  storage.failure = new StorageUnavailableError('none', new Error('away'));
  for (let i = 0; i < 12; i++) await expect(receive(message)).rejects.toBe(storage.failure);
  storage.failure = null;
  await receive(message);
  expect([await acted(), (await letters()).length, reports.length]).toEqual([1, 0, 0]);
});

it('fails if a dead letter cannot be stored, so that the broker delivers the command again', async () => {
  const { storage, receive, letters } = host();
  const message = command({ body: '{' });
  storage.failure = new RangeError('The disk is full.');
  await expect(receive(message)).rejects.toBe(storage.failure);
  storage.failure = null;
  await receive(message);
  expect(await letters()).toMatchObject([{ attempts: 2 }]);
});

it('leaves a command to the broker whose dead letter the available storage rejects ten times', async () => {
  const { storage, receive, letters } = host();
  const message = command({ body: '{' });
  storage.failure = new RangeError('Maximum call stack size exceeded');
  for (let i = 1; i < 10; i++) await expect(receive(message)).rejects.toBe(storage.failure);
  storage.failure = new StorageUnavailableError('none', new Error('away'));
  for (let i = 1; i < 20; i++) await expect(receive(message)).rejects.toBe(storage.failure);
  const { failure, restored } = { failure: new RangeError('odd'), restored: command({ body: '{' }) };
  storage.failOnce(failure);
  expect(await receive(message)).toMatchObject({ message, cause: { code: 'SVC_MALFORMED_JSON' } });
  expect(await letters()).toEqual([]);
  expect(await receive(restored)).toBeNull();
  expect(await letters()).toHaveLength(1);
});

it.each<[string, ReceivedMessage['metadata']]>([
  ['nested too deeply', { x: JSON.parse('['.repeat(8_000) + ']'.repeat(8_000)) as unknown }],
  ['that no database can store', { x: 'a\0b' }],
])('leaves a command with metadata %s to the broker before it is admitted', async (_, metadata) => {
  const { receive, letters, acted } = host({ rejection: new MessageRejectedError('UnprovenOrigin', 'no') });
  const message = command({ metadata });
  expect(await receive(message)).toMatchObject({ message, cause: { code: 'SVC_MALFORMED_CLOUD_EVENT' } });
  expect([await letters(), await acted()]).toEqual([[], 0]);
});

it('stores a command that is not admitted as a dead letter, or leaves it to the broker if it is too large', async () => {
  const rejection = new MessageRejectedError('UnprovenOrigin', 'no');
  const { receive, letters, acted } = host({ rejection });
  const [small, large] = [command(), command({ body: 'x'.repeat(70_000) })];
  expect(await receive(small)).toBeNull();
  expect(await receive(large)).toEqual({ message: large, cause: rejection });
  expect(await letters()).toMatchObject([{ cause: 'UnprovenOrigin', message: { id: small.id } }]);
  expect(await acted()).toBe(0);
});

it('rejects a command of a tenant without a database, and asks for the tenant of each', async () => {
  const tenants: string[] = [];
  const place: PlaceTenant = (tenant) => {
    tenants.push(tenant);
    return tenant === 'gone' ? new MessageRejectedError('UnknownTenant', 'no') : null;
  };
  const { receive, letters, acted } = host({ place });
  for (const scope of [null, {}, { tenantId: 'acme' }, { tenantId: 'gone' }]) await receive(command({ scope }));
  expect(tenants).toEqual(['', '', 'acme', 'gone']);
  expect(await letters()).toMatchObject([{ cause: 'UnknownTenant' }]);
  expect(await acted()).toBe(3);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inboxOf, MessageRegistry, newId, type MessageDescriptor } from '../messages/index.js';
import type { SecurityContext } from '../security/index.js';
import type { DeadLetterRecord } from '../storage/index.js';
import { deadLetterOf } from './dead-lettering.js';
import { editedMessage, isEditable, isEvent } from './edited-message.js';
import { editedScope, scheduledScope } from './received-scope.js';
import type { ReceivedMessage } from './transport.js';

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

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

class Placed {}
class Registered {}

const described = (type: string, made: MessageDescriptor['class'], hasPersonal?: true): MessageDescriptor => ({
  type,
  kind: 'event',
  class: made,
  read: () => new made(),
  write: () => '{}',
  ...(hasPersonal === true && { hasPersonal }),
});
const messages = new MessageRegistry([
  described('test.Placed', Placed),
  described('test.Registered', Registered, true),
]);

const operator: SecurityContext = {
  scope: { userId: 'olga', tenantId: 'home' },
  userName: 'Olga',
  roles: new Set(),
  permissions: new Set(),
  source: 'jwt',
};

function letterOf(direction: DeadLetterRecord['direction'], fields: Partial<ReceivedMessage>): DeadLetterRecord {
  const message = receivedMessage({ type: 'test.Placed', destination: 'test', ...fields });
  const failure = { cause: 'Unreadable', error: new Error('no'), attempts: 1, firstFailedAt: 0 } as const;
  return { ...deadLetterOf({ direction: 'incoming', message, ...failure }, messages), direction };
}
const inbox = { destination: inboxOf('billing') };

it.each<[string, DeadLetterRecord, boolean, boolean]>([
  ['an incoming event', letterOf('incoming', {}), true, true],
  ['an incoming command', letterOf('incoming', inbox), false, true],
  ['an outgoing event, which is stored', letterOf('outgoing', {}), true, false],
  ['an outgoing command', letterOf('outgoing', inbox), false, true],
  ['a scheduled command', letterOf('scheduled', { destination: 'key' }), false, true],
])('knows whether it is an event, and whether it can be edited: %s', (_, letter, event, editable) => {
  expect([isEvent(letter), isEditable(letter)]).toEqual([event, editable]);
});

it('replaces an event in its stream by one with another id and body, by the operator, at the current time', () => {
  const scope = { tenantId: 'acme', userId: 'ann' };
  const letter = letterOf('incoming', { scope, timestamp: 1, metadata: { note: 'x', cloudEventId: 'order-1' } });
  const edited = editedMessage(letter, '{"amount":1}', operator, messages);
  expect(edited).toEqual({
    ...letter.message,
    id: edited.id,
    body: '{"amount":1}',
    timestamp: Date.now(),
    scope: { tenantId: 'acme', userId: 'olga', userName: 'Olga', homeTenantId: 'home', source: 'operator' },
    metadata: { note: 'x', svcReplaces: letter.message.id },
  });
  expect(edited.id).not.toBe(letter.message.id);
});

it('replaces a command by one with its own stream', () => {
  const edited = editedMessage(letterOf('incoming', inbox), '{}', operator, messages);
  expect(edited.streamId).toBe(edited.id);
});

it('rejects to edit a stored event, and an event with personal data, but no command of such a type', () => {
  const notEditable = expect.objectContaining({ code: 'SVC_DEAD_LETTER_NOT_EDITABLE' }) as Error;
  const edit = (letter: DeadLetterRecord) => editedMessage(letter, '{}', operator, messages);
  expect(() => edit(letterOf('outgoing', {}))).toThrow(notEditable);
  expect(() => edit(letterOf('incoming', { type: 'test.Registered' }))).toThrow(notEditable);
  expect(() => edit(letterOf('incoming', { type: 'test.Registered', ...inbox }))).not.toThrow();
});

it('names the operator, and its own tenant if that is another one', () => {
  const scope = { tenantId: 'acme', userId: 'ann', userName: 'Ann', homeTenantId: 'x', region: 'eu', roles: 'admin' };
  const vouched = { tenantId: 'acme', region: 'eu', source: 'operator' };
  const as = (fields: Partial<SecurityContext>) => editedScope(scope, { ...operator, ...fields });
  expect(editedScope(scope, null)).toEqual(vouched);
  expect(as({})).toEqual({ ...vouched, userId: 'olga', userName: 'Olga', homeTenantId: 'home' });
  expect(as({ scope: { tenantId: 'acme', userId: 'olga' } })).toEqual({ ...vouched, userId: 'olga', userName: 'Olga' });
  expect(as({ scope: { tenantId: 'acme' }, homeTenantId: 'hq' })).toEqual({
    ...vouched,
    userName: 'Olga',
    homeTenantId: 'hq',
  });
  const { userName: _, ...nameless } = operator;
  expect(editedScope(scope, { ...nameless, scope: {} })).toEqual({ ...vouched, homeTenantId: '' });
});

it('needs no tenant: neither of the message nor of the operator', () => {
  expect(editedScope(null, { ...operator, scope: { userId: 'olga' } })).toEqual({
    userId: 'olga',
    userName: 'Olga',
    source: 'operator',
  });
  expect(editedScope(null, null)).toEqual({ source: 'operator' });
});

it('runs a scheduled command for the tenant and user that scheduled it, without claims', () => {
  const scope = { tenantId: 'acme', userId: 'ann', roles: 'admin', permissions: '*:*', origin: 'mars', source: 'jwt' };
  expect(scheduledScope(scope)).toEqual({ tenantId: 'acme', userId: 'ann', source: 'schedule' });
  expect(scheduledScope(null)).toEqual({ source: 'schedule' });
  expect(scheduledScope({ userId: newId() })).toHaveProperty('userId');
});

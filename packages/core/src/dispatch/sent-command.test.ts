import { describe, expect, it } from 'vitest';
import { MessageRegistry, wrap, type MessageDescriptor } from '../messages/index.js';
import type { NamedReceptor } from './receptor.js';
import { cancelledKey, outgoingCommand, scheduledCommand, type SendingParts } from './sent-command.js';

class Remind {
  constructor(readonly what: string) {}
}
class Login {}
class Reminded {}
class Elsewhere {}

const described = (fields: Pick<MessageDescriptor, 'kind' | 'class' | 'hasSecrets'>): MessageDescriptor => ({
  ...fields,
  type: `test.${fields.class.name}`,
  read: (value) => Object.assign(new fields.class(), value),
  write: JSON.stringify,
});
const messages = new MessageRegistry([
  described({ kind: 'command', class: Remind }),
  described({ kind: 'command', class: Login, hasSecrets: true }),
  described({ kind: 'event', class: Reminded }),
  described({ kind: 'command', class: Elsewhere }),
]);
const receptorFor = (commandClass: { readonly name: string }): NamedReceptor => ({
  name: `${commandClass.name}Receptor`,
  commandType: `test.${commandClass.name}`,
  resultType: null,
  receptor: { receive: () => {} },
});
const parts: SendingParts = {
  messages,
  receptors: new Map([Remind, Login, Reminded].map((one) => [one, receptorFor(one)])),
  sendsCommands: true,
  schedulesCommands: true,
  publishFilter: null,
};
const scope = { tenantId: 'acme', svcReactions: 'Charge,Notify,Charge' };
const cause = wrap('test.Cause', {}, { scope, metadata: { trace: '1' } });
const inherited = { type: 'test.Remind', body: '{"what":"pay"}', metadata: { trace: '1' } };
const chained = { correlationId: cause.correlationId, causationId: cause.id };

const send = (command: object, changed: Partial<SendingParts> = {}) =>
  outgoingCommand(command, 'shop', cause, { ...parts, ...changed });
const schedule = (command: object, changed: Partial<SendingParts> = {}) =>
  scheduledCommand(command, { after: { minutes: 1 }, key: 'k' }, cause, { ...parts, ...changed });
const coded = (code: string) => expect.objectContaining({ code });

describe('a command to another host', () => {
  it('waits in the outbox for the inbox of the host, caused by the current message', () => {
    const record = send(new Remind('pay'));
    expect(record).toEqual({
      id: record.message!.id,
      lane: 'transport',
      destination: 'inbox:shop',
      message: { ...inherited, ...chained, scope, id: record.id, timestamp: expect.any(Number) },
      note: null,
      eventId: null,
    });
    expect(Math.abs(record.message!.timestamp - Date.now())).toBeLessThan(60_000);
  });

  it('must be a command without secrets', () => {
    expect(() => send(new Reminded())).toThrow(coded('SVC_UNKNOWN_MESSAGE'));
    expect(() => send(new Login())).toThrow(coded('SVC_SECRET_IN_STORED_COMMAND'));
  });

  it('needs a transport that supports commands', () => {
    expect(() => send(new Remind('pay'), { sendsCommands: false })).toThrow(coded('SVC_INBOX_UNSUPPORTED'));
  });

  it('must pass the publish filter', () => {
    const only = (published: boolean) => ({
      publishFilter: { shouldPublishToTransport: () => published, shouldReceiveFromTransport: () => true },
    });
    expect(() => send(new Remind('pay'), only(false))).toThrow(coded('SVC_COMMAND_FILTERED'));
    expect(send(new Remind('pay'), only(true))).toMatchObject({ destination: 'inbox:shop' });
  });
});

describe('a scheduled command', () => {
  it('has its due time and its key, and names each reaction that caused it once', () => {
    const record = schedule(new Remind('pay'));
    expect(record).toMatchObject({ due: { afterMs: 60_000 }, key: 'k', message: { ...inherited, ...chained } });
    expect(record.message.scope).toEqual({ tenantId: 'acme', svcReactions: 'Charge,Notify' });
    const at = new Date(Date.now() + 1_000);
    const { due, key, message } = scheduledCommand(new Remind('pay'), { at }, cause, parts);
    expect([due, key, message.scope?.['svcReactions']]).toEqual([{ at: at.getTime() }, null, 'Charge,Notify']);
  });

  it('names all reactions that caused it if it runs at once', () => {
    const { message } = scheduledCommand(new Remind('pay'), { after: { milliseconds: 0 } }, cause, parts);
    expect(message.scope).toEqual(scope);
  });

  it('must be a command without secrets that has a receptor', () => {
    expect(() => schedule(new Reminded())).toThrow(coded('SVC_UNKNOWN_MESSAGE'));
    expect(() => schedule(new Login())).toThrow(coded('SVC_SECRET_IN_STORED_COMMAND'));
    expect(() => schedule(new Elsewhere())).toThrow(coded('SVC_COMMAND_WITHOUT_RECEPTOR'));
  });

  it('needs a storage with scheduled commands, to schedule it and to cancel it', () => {
    const without = { schedulesCommands: false };
    expect(() => schedule(new Remind('pay'), without)).toThrow(coded('SVC_SCHEDULE_UNSUPPORTED'));
    expect(() => cancelledKey('k', cause, without)).toThrow(coded('SVC_SCHEDULE_UNSUPPORTED'));
  });

  it('is cancelled by its key in the tenant of the current message', () => {
    expect(cancelledKey('k', cause, parts)).toEqual({ tenant: 'acme', key: 'k' });
    expect(() => cancelledKey('', cause, parts)).toThrow(coded('SVC_INVALID_SCHEDULE'));
  });
});

import { expect, it } from 'vitest';
import { registry } from '../generated/registry.js';
import { MessageRegistry, newId, wrap } from '../messages/index.js';
import { runAs, type SecurityContext } from '../security/index.js';
import { outgoingSystemEvent } from './outgoing-system-event.js';
import { AuthenticationFailed } from './records/security-events.js';

const messages = new MessageRegistry(registry.messages);
const event = Object.assign(new AuthenticationFailed(), { scheme: 'Bearer', timestamp: new Date() });
const ann: SecurityContext = { scope: { userId: 'ann' }, roles: new Set(), permissions: new Set(), source: 'test' };

it('has the correlation and the scope of its cause, whoever the current caller is', () => {
  const cause = wrap('shop.PayOrder', {}, { correlationId: newId(), scope: { userId: 'bob' } });
  const { message } = runAs(ann, () => outgoingSystemEvent(event, messages, cause));
  expect(message).toMatchObject({
    correlationId: cause.correlationId,
    causationId: cause.id,
    scope: { userId: 'bob' },
  });
});

it('has the scope of the current caller, and its own correlation, without a cause', () => {
  const { id, message } = runAs(ann, () => outgoingSystemEvent(event, messages));
  expect(message).toMatchObject({ id, correlationId: id, causationId: null, scope: { userId: 'ann', source: 'test' } });
  expect(outgoingSystemEvent(event, messages).message!.scope).toBeNull();
});

import { expect, it } from 'vitest';
import { newId } from './ids.js';
import { wrap } from './wrap.js';

it('starts a chain with its own id as the correlation and no cause', () => {
  const envelope = wrap('shop.Buy', { what: 'tea' });
  expect(envelope).toMatchObject({
    type: 'shop.Buy',
    payload: { what: 'tea' },
    streamId: null,
    correlationId: envelope.id,
    causationId: null,
    scope: null,
    metadata: {},
  });
  expect(envelope.timestamp).toBeInstanceOf(Date);
});

it('inherits correlation and scope from its cause', () => {
  const cause = wrap('shop.Buy', {}, { scope: { tenantId: 'a' } });
  const streamId = newId();
  const envelope = wrap('shop.Bought', {}, { cause, streamId });
  expect(envelope).toMatchObject({
    streamId,
    correlationId: cause.correlationId,
    causationId: cause.id,
    scope: { tenantId: 'a' },
  });
});

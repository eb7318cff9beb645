import { describe, expect, it } from 'vitest';
import { registry } from '../generated/registry.js';
import {
  MessageRegistry,
  newId,
  tagged,
  type MessageClass,
  type MessageDescriptor,
  type MessageKind,
} from '../messages/index.js';
import type { PendingRecord } from '../storage/index.js';
import { TagHooks, type TaggedMessage } from './tag-hooks.js';

class OrderPlaced {}
class CacheCleared {}
tagged('orders')(OrderPlaced);
tagged('cache')(CacheCleared);

const descriptor = (kind: MessageKind, type: MessageClass): MessageDescriptor => ({
  type: `shop.${type.name}`,
  kind,
  class: type,
  read: () => new type(),
  write: JSON.stringify,
});
const messages = new MessageRegistry([
  ...registry.messages,
  descriptor('event', OrderPlaced),
  descriptor('systemEvent', CacheCleared),
]);

const seen: TaggedMessage[] = [];
const hooksFor = (...tags: string[]): TagHooks =>
  new TagHooks(
    { positionOf: () => Promise.resolve(3) },
    messages,
    new Map(tags.map((tag) => [tag, [(message: TaggedMessage) => void seen.push(message)]])),
    (error) => expect.fail(String(error)),
  );

it.each([
  [[], false],
  [['orders'], false],
  [['cache'], true],
  [['sys-audit'], true],
  [['orders', 'cache'], true],
])('hooks for the tags %j watch the system stream: %s', (tags, isWatched) => {
  expect(hooksFor(...tags).watchesSystemStream).toBe(isWatched);
});

describe('the fields of a message', () => {
  const bodies = { originalBody: { a: 1 }, commandBody: { b: 2 }, note: 'x' };
  const committed = async (type: string): Promise<unknown> => {
    seen.length = 0;
    const event: PendingRecord = {
      id: newId(),
      type,
      streamId: newId(),
      body: JSON.stringify(bodies),
      timestamp: 0,
      correlationId: newId(),
      causationId: null,
      scope: null,
      metadata: {},
      expectedPosition: undefined,
    };
    const hooks = hooksFor('orders', 'sys-audit');
    hooks.committed({ events: [event], outgoing: [], delivered: null, received: [] });
    await hooks.idle();
    return seen.map(({ fields, position }) => [fields, position]);
  };

  it('do not contain the bodies that audit records contain', async () => {
    expect(await committed('svc.EventAudited')).toEqual([[{ note: 'x' }, 3]]);
  });

  it('contain everything of other messages', async () => {
    expect(await committed('shop.OrderPlaced')).toEqual([[bodies, 3]]);
  });

  it('are not read of messages without a hook or without a class', async () => {
    expect([await committed('shop.CacheCleared'), await committed('shop.Unknown')]).toEqual([[], []]);
  });
});

/** OptOut and OptIn × excluded, marked and unmarked × events and commands. */
import { AuditMode, CommandAudited, EventAudited, newId } from '@svc/core';
import { wrap } from '@svc/core/testing';
import { expect, it } from 'vitest';
import {
  CacheCleared,
  OrderPaid,
  OrderPinged,
  OrderPlaced,
  PayOrder,
  PingOrder,
  PlaceOrder,
  records,
  shop,
} from './shop.js';

const { OptOut, OptIn } = AuditMode;
const [unmarked, marked, excluded] = ['unmarked', 'marked', 'excluded'] as const;
const events = { [unmarked]: OrderPlaced, [marked]: OrderPaid, [excluded]: OrderPinged };
const commands = { [unmarked]: PlaceOrder, [marked]: PayOrder, [excluded]: PingOrder };

it.each([
  [OptOut, unmarked, true],
  [OptOut, marked, true],
  [OptOut, excluded, false],
  [OptIn, unmarked, false],
  [OptIn, marked, true],
  [OptIn, excluded, false],
])('%s: a type that is %s is audited: %s', async (mode, kind, isAudited) => {
  const service = shop()
    .addSystemEventAuditing((options) => {
      options.enableAudit();
      options.auditMode = mode;
    })
    .start();
  await service.dispatcher.invoke(new commands[kind]());
  const types = [
    ...(await records(service, EventAudited)).map(({ originalEventType }) => originalEventType),
    ...(await records(service, CommandAudited)).map(({ commandType }) => commandType),
  ];
  expect(types).toEqual(isAudited ? [`shop.${events[kind].name}`, `shop.${commands[kind].name}`] : []);
  expect(service.emitter.shouldExcludeFromAudit(events[kind])).toBe(!isAudited);
  expect(service.emitter.shouldExcludeFromAudit(commands[kind])).toBe(!isAudited);
});

it.each([OptOut, OptIn])('%s: system events are never audited, not even those of the application', async (mode) => {
  const service = shop()
    .addSystemEventAuditing((options) => {
      options.enableAudit();
      options.auditMode = mode;
    })
    .start();
  const streamId = newId();
  await service.eventStore.append(streamId, wrap('shop.CacheCleared', new CacheCleared(), { streamId }));
  expect(await records(service, EventAudited)).toEqual([]);
  for (const type of [CacheCleared, EventAudited, CommandAudited]) {
    expect(service.emitter.shouldExcludeFromAudit(type)).toBe(true);
  }
});

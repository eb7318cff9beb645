/** The checks of `npm run torture` find each kind of damage: a run that could not fail would prove nothing. */
import { generateKeyPairSync } from 'node:crypto';
import { InMemoryStorage, newId, type Service } from '@svc/core';
import { InProcessTransport } from '@svc/core/transport';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitFor } from '../deploy/wait-for.js';
import {
  handle,
  readHistory,
  shopService,
  violationsOf,
  type History,
  type HistoryEvent,
  type SentRequest,
  type ShopRequest,
} from '../../tools/torture/index.mjs';

let good: readonly [History, History];
const services: Service[] = [];
const sealKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

/** A paid order with a reminder that is replaced and runs, and an unpaid one with a reminder that is cancelled. */
async function trade(service: Service, requests: SentRequest[]): Promise<void> {
  const request = async (type: ShopRequest['type'], orderId: ShopRequest['orderId'], properties: object = {}) => {
    const sent: SentRequest = { type, key: null, requestId: newId(), orderId, outcome: null, isRejected: false };
    requests.push(sent);
    sent.outcome = await handle(service, { ...sent, ...properties });
  };
  const [paid, unpaid] = [newId(), newId()];
  await request('PlaceOrder', paid, { payWithinMs: 60_000, remindAfterMs: 60_000 });
  await request('PostponeReminder', paid, { afterMs: 0 });
  await request('PayOrder', paid);
  await request('PlaceOrder', unpaid, { payWithinMs: 0, remindAfterMs: 60_000 });
  await request('CancelReminder', unpaid);
}

beforeAll(async () => {
  const transport = new InProcessTransport();
  const shops = ['north', 'south'].map((name, i) => {
    const storage = new InMemoryStorage();
    const other = ['south', 'north'][i]!;
    const service = shopService({ shop: name, other, storage, transport: transport.host(name), sealKey });
    services.push(service.start());
    return { name, storage, service, requests: [] as SentRequest[] };
  });
  for (const { service } of shops) await service.ready();
  for (const { service, requests } of shops) await trade(service, requests);
  good = await waitFor(async () => {
    const read = shops.map(({ name, storage, requests }) => readHistory(name, storage, requests, sealKey));
    const histories = [await read[0]!, await read[1]!] as const;
    const violations = violationsOf(histories);
    if (violations.length > 0) throw new Error(violations.join('\n'));
    return histories;
  }, 'a history without violations');
});
afterAll(() => Promise.all(services.map((service) => service.stop())));

type Damage = (history: History) => Partial<History>;

const without =
  (type: string): Damage =>
  ({ events }) => ({ events: events.filter((event) => event !== events.find((other) => other.type === type)) });
const twice =
  (type: string): Damage =>
  ({ events }) => ({ events: [...events, { ...events.find((event) => event.type === type)!, id: newId() }] });
const changed =
  (type: string, body: object): Damage =>
  ({ events }) => ({
    events: events.map((event) => (event.type === type ? { ...event, body: { ...event.body, ...body } } : event)),
  });
const reversed =
  (type: string): Damage =>
  ({ events }) => {
    const places = events.flatMap((event, i) => (event.type === type ? [i] : []));
    const next = [...places];
    return { events: events.map((event) => (event.type === type ? events[next.pop()!]! : event)) };
  };
const answered =
  (type: ShopRequest['type'], outcome: string | null, key: string | null = null): Damage =>
  ({ requests }) => ({ requests: requests.map((sent) => (sent.type === type ? { ...sent, outcome, key } : sent)) });
const moved =
  (type: string, to: (events: readonly HistoryEvent[]) => number): Damage =>
  ({ events }) => {
    const rest = events.filter((event) => event.type !== type);
    return { events: rest.toSpliced(to(rest), 0, ...events.filter((event) => event.type === type)) };
  };
const listed =
  (change: Partial<History['instances'][number]>): Damage =>
  ({ instances }) => ({ instances: instances.map((instance) => ({ ...instance, ...change })) });

const damages: readonly (readonly [string, RegExp, Damage])[] = [
  ['a lost answered command', /PayOrder .* answered with paid: stored nothing/, without('shop.OrderPaid')],
  ['a command that ran twice', /PayOrder .* stored shop.OrderPaid, shop.OrderPaid/, twice('shop.OrderPaid')],
  ['half of a command', /PlaceOrder .* stored shop.OrderPlaced$/m, without('shop.ReminderScheduled')],
  [
    'half of a command without an answer',
    /PlaceOrder .* answered with null: stored shop.OrderPlaced$/m,
    (history) => ({ ...without('shop.ReminderScheduled')(history), ...answered('PlaceOrder', null)(history) }),
  ],
  [
    'a rejected command that was stored',
    /PayOrder .* rejected, but stored shop.OrderPaid/,
    ({ requests }) => ({ requests: requests.map((sent) => ({ ...sent, outcome: null, isRejected: true })) }),
  ],
  ['a repeated request without an answer', /never answered/, answered('CancelReminder', null, 'key')],
  ['a command with the wrong answer', /PayOrder .* answered with too late: stored/, answered('PayOrder', 'too late')],
  ['an answer that does not know an order', /the order was placed before/, answered('PayOrder', 'unknown')],
  ['an event of no request', /stored, but never sent/, changed('shop.OrderPaid', { requestId: 'other' })],
  ['a lost effect', /booking: lost/, without('shop.Booked')],
  ['a duplicated effect', /booking: 2 times/, twice('shop.Booked')],
  ['effects in another order', /booking: not in the order/, reversed('shop.Booked')],
  ['a lost nested command', /counted notice: lost/, without('shop.NoticeCounted')],
  ['a lost command in the own inbox', /sent notice: lost/, without('shop.NoticeSent')],
  ['a duplicated command in the own inbox', /sent notice: 2 times/, twice('shop.NoticeSent')],
  ['a lost announcement', /announcement: lost/, without('news.Announced')],
  ['an effect without a cause', /archived announcement: without a cause/, changed('shop.Archived', { eventId: 'x' })],
  ['a lost delivery over the broker', /south to north: delivery: lost/, without('shop.Delivered')],
  ['a duplicated delivery over the broker', /south to north: delivery: 2 times/, twice('shop.Delivered')],
  [
    'an event that the other shop did not receive',
    /south to north: announcements .* are not the same/,
    ({ events }) => ({ events: events.filter(({ origin }) => origin === null) }),
  ],
  ['a lost reminder', /reminder 1 .* never ran/, without('shop.Reminded')],
  ['a reminder that ran twice', /reminder 1 .* ran although/, twice('shop.Reminded')],
  [
    'a reminder that ran after it was replaced',
    /reminder 0 .* ran although/,
    changed('shop.Reminded', { revision: 0 }),
  ],
  [
    'a reminder that ran after it was cancelled',
    /reminder 0 .* ran although/,
    ({ events }) => {
      const cancelled = events.find(({ type }) => type === 'shop.ReminderCancelled')!;
      return { events: [...events, { ...cancelled, id: newId(), type: 'shop.Reminded' }] };
    },
  ],
  ['an order that was paid and cancelled', /order .*: it was Placed, Paid, Shipped, Cancelled/, bothPaidAndCancelled],
  ['an order that is neither', /order .*: it was Placed$/m, without('shop.OrderCancelled')],
  ['an event that a process did not receive', /it processed/, without('svc.ProcessAdvanced')],
  ['an event that a process received twice', /it processed/, twice('svc.ProcessAdvanced')],
  ['events of a process in another order', /it processed/, reversed('svc.ProcessAdvanced')],
  ['a process that did not complete', /did not complete/, without('svc.ProcessCompleted')],
  ['a process that completed too early', /did not complete/, moved('svc.ProcessCompleted', () => 0)],
  [
    'an action that the events do not explain',
    /after shop.OrderPaid, it did ""/,
    changed('svc.ProcessAdvanced', { actions: [] }),
  ],
  ['a process without events', /it has no events/, changed('svc.ProcessAdvanced', { key: 'other' })],
  ['a list of instances that is wrong', /does not match its stream/, listed({ events: 7 })],
  ['a completed instance in the list of open ones', /does not match its stream/, listed({ isCompleted: false })],
  ['a lost audit record', /audit record: lost/, without('svc.EventAudited')],
  ['a duplicated audit record', /audit record: 2 times/, twice('svc.EventAudited')],
  ['audit records in another order', /audit record: not in the order/, reversed('svc.EventAudited')],
  ['a command that is not audited', /neither an event nor an audited command/, without('svc.CommandAudited')],
  ['a command that is audited twice', /audited more than once/, twice('svc.CommandAudited')],
  ['a recurring command that ran twice', /recurring command .* ran more than once/, twice('shop.Ticked')],
  ['a model without an event', /model .*: it has .*, not/, modelled((ids) => ids.slice(1))],
  ['a model with an event twice', /model .*: it has .*, not/, modelled((ids) => [...ids, ids[0]!])],
  ['a model with events in another order', /model .*: it has .*, not/, modelled((ids) => ids.toReversed())],
  ['a lost model', /model .*: it has no events, not/, () => ({ models: [] })],
  [
    'a model of no stream',
    /model other: it has no events$/m,
    ({ models }) => ({ models: [...models, { key: 'other', ids: ['x'] }] }),
  ],
  ['a log that its seals do not match', /seals: .*Removed/, sealed({ finding: '{"kind":"Removed"}' })],
  ['a log without seals', /nothing is sealed/, sealed({ checkpoints: 0 })],
  ['a log that is no longer sealed', /501 events are not sealed/, unsealed],
  ['a stream with a gap', /gaps/, without('shop.OrderPaid')],
  ['a parked stream', /BookEvents failed/, () => ({ failedStreams: ['BookEvents failed'] })],
  ['a dead letter', /dead letter: scheduled/, () => ({ deadLetters: ['scheduled shop.Remind: Refused'] })],
  ['a command that is left', /still scheduled: reminder/, () => ({ scheduled: ['$svc-recurring|', 'reminder'] })],
  ['a recurring command that is lost', /recurring command is scheduled 0 times/, () => ({ scheduled: [] })],
];

function modelled(change: (ids: readonly string[]) => readonly string[]): Damage {
  return ({ models }) => ({ models: models.map(({ key, ids }) => ({ key, ids: change(ids) })) });
}

function sealed(change: Partial<History['seals']>): Damage {
  return ({ seals }) => ({ seals: { ...seals, ...change } });
}

function unsealed({ events, seals }: History): Partial<History> {
  const last = events.at(-1)!;
  const more = Array.from({ length: 501 - (events.length - seals.events) }, (_, i) => ({
    ...last,
    id: newId(),
    position: last.position + 1 + i,
  }));
  return { events: [...events, ...more] };
}

function bothPaidAndCancelled({ events }: History): Partial<History> {
  const shipped = events.find(({ type }) => type === 'shop.OrderShipped')!;
  return { events: [...events, { ...shipped, id: newId(), type: 'shop.OrderCancelled', position: 3 }] };
}

it.each(damages)('finds %s', (_name, expected, damage) => {
  const [history, other] = good;
  expect(violationsOf([{ ...history, ...damage(history) }, other]).join('\n')).toMatch(expected);
});

/**
 * What the simulated service does with commands. Nothing in it hides work that was done twice: every run of a receptor appends an event that
 * names its cause.
 */
import { createHash } from 'node:crypto';
import { uuid } from '@svc/core';
import {
  Delivered,
  Deposited,
  NoticeSent,
  of,
  OrderCancelled,
  OrderPaid,
  OrderPlaced,
  OrderShipped,
  Recorded,
  Remind,
  Reminded,
  Ticked,
} from './messages.mjs';

/** A stream that belongs to a name. */
export function streamOf(...names) {
  const hex = createHash('sha256').update(names.join('\n')).digest('hex');
  return uuid(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  );
}

/** Counts deposits, so that an event shows which events its receptor has read. */
export class Account {
  initial() {
    return 0;
  }
  evolve(count) {
    return count + 1;
  }
}

export class Order {
  initial() {
    return { isPlaced: false, isPaid: false, isCancelled: false };
  }
  evolve(state, event) {
    if (event instanceof OrderPlaced) return { ...state, isPlaced: true };
    if (event instanceof OrderPaid) return { ...state, isPaid: true };
    return event instanceof OrderCancelled ? { ...state, isCancelled: true } : state;
  }
}

const reminderOf = (orderId) => `reminder of ${orderId}`;

export const receptors = {
  async Record({ streamId, ledger, label, reads, seen }, context) {
    const causes = new Set(seen);
    for (const id of reads) {
      for await (const { envelope } of context.readStream(id)) causes.add(envelope.payload.label);
    }
    context.append(streamId, of(Recorded, { ledger, label, seen: [...causes] }));
    return 'recorded';
  },
  async Deposit({ accountId, label }, context) {
    const account = await context.load(Account, accountId);
    account.append(of(Deposited, { label, number: account.state }));
    return 'deposited';
  },
  async PlaceOrder({ orderId, label, payWithinMs, remindAfterMs }, context) {
    const order = await context.load(Order, orderId);
    if (order.exists) return 'known';
    order.append(of(OrderPlaced, { orderId, label, payWithinMs }));
    context.schedule(of(Remind, { orderId }), { after: { milliseconds: remindAfterMs }, key: reminderOf(orderId) });
    return 'placed';
  },
  async PayOrder({ orderId, label }, context) {
    const order = await context.load(Order, orderId);
    if (!order.state.isPlaced) return 'unknown';
    if (order.state.isCancelled || order.state.isPaid) return 'too late';
    order.append(of(OrderPaid, { orderId, label }));
    context.cancelScheduled(reminderOf(orderId));
    return 'paid';
  },
  async CancelUnpaidOrder({ orderId }, context) {
    const order = await context.load(Order, orderId);
    if (!order.state.isPaid) order.append(of(OrderCancelled, { orderId }));
  },
  ShipOrder({ orderId }, context) {
    context.append(orderId, of(OrderShipped, { orderId }));
  },
  /** It does not load the stream: only the schedule decides whether it runs. Some fail at first. */
  Remind({ orderId }, context) {
    if (context.attempt === 1 && orderId.endsWith('0')) throw new Error('Not at the first attempt.');
    context.append(orderId, of(Reminded, { orderId }));
  },
  SendNotice({ orderId, eventId }, context) {
    context.append(streamOf('notices', orderId), of(NoticeSent, { eventId }));
  },
  /** For an order of the other service. */
  Deliver({ orderId, eventId }, context) {
    context.append(streamOf('deliveries', orderId), of(Delivered, { eventId }));
  },
  Tick(_command, context) {
    context.append(streamOf('ticks'), of(Ticked, { commandId: context.envelope.id }));
  },
};

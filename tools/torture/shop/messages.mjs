/** The commands and events of a shop, and the streams of its effects. */
import { createHash } from 'node:crypto';
import { uuid } from '@svc/core';

export class PlaceOrder {}
export class PayOrder {}
export class PostponeReminder {}
export class CancelReminder {}
export class CancelUnpaidOrder {}
export class ShipOrder {}
export class Remind {}
export class CountNotice {}
export class SendNotice {}
export class Deliver {}
export class Tick {}

export class OrderPlaced {}
export class OrderPaid {}
export class OrderShipped {}
export class OrderCancelled {}
export class ReminderScheduled {}
export class ReminderCancelled {}
export class Reminded {}
export class Booked {}
export class NoticeCounted {}
export class NoticeSent {}
export class Announced {}
export class Archived {}
export class Delivered {}
export class Ticked {}

export const of = (messageClass, properties) => Object.assign(new messageClass(), properties);

/** How many streams a shop has for its bookings, and for its announcements. */
export const shards = 6;

/** A stream that belongs to a name: each kind of effect has its own streams. */
export function streamOf(...names) {
  const hex = createHash('sha256').update(names.join('\n')).digest('hex');
  return uuid(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  );
}

import type { Uuid } from '@svc/core';

/** A request of a caller. With a key, the caller repeats it until it is answered. */
export interface ShopRequest {
  readonly type: 'PlaceOrder' | 'PayOrder' | 'PostponeReminder' | 'CancelReminder';
  readonly key: string | null;
  readonly requestId: Uuid;
  readonly orderId: Uuid;
  /** Of `PlaceOrder`. */
  readonly payWithinMs?: number;
  readonly remindAfterMs?: number;
  /** Of `PostponeReminder`. */
  readonly afterMs?: number;
}

/** A request, and what the caller knows about it. `outcome` null: no host has answered it. */
export interface SentRequest extends Pick<ShopRequest, 'type' | 'key' | 'requestId' | 'orderId'> {
  outcome: string | null;
}

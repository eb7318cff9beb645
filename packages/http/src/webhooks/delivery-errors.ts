import { RetryAfterError, ServiceError } from '@svc/core';
import type { Posted } from './post.js';

/** Statuses below 500 that say nothing about the next attempt. */
const retriedStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** The receiver rejected an event for good: the stream is parked. */
export class WebhookRejectedError extends ServiceError {
  readonly status: number;

  constructor(receiver: string, status: number) {
    const advice =
      status === 410
        ? 'The receiver does not want webhooks any more: remove the webhook.'
        : 'Fix the receiver or the URL, then run "svc reactions retry".';
    super('SVC_WEBHOOK_REJECTED', `Cannot deliver a webhook to ${receiver}: it answered ${status}. ${advice}`);
    this.status = status;
  }
}

/** Throws if a response is not a success: an error to retry, or one that a retry would not fix. */
export function requireSuccess({ status, retryAfter }: Posted, receiver: string): void {
  if (status >= 200 && status < 300) return;
  if (status >= 400 && status < 500 && !retriedStatuses.has(status)) throw new WebhookRejectedError(receiver, status);
  const redirect = status >= 300 && status < 400 ? ' Redirects are not followed: use the final URL.' : '';
  throw deliveryFailed(`${receiver}: it answered ${status}.${redirect}`, retryAfterMs(retryAfter));
}

/** `why` must not contain more of the URL than its origin: the path of a webhook is often a secret. */
export function deliveryFailed(why: string, afterMs = 0): RetryAfterError {
  return new RetryAfterError(`Cannot deliver a webhook to ${why}`, afterMs, {}, 'SVC_WEBHOOK_FAILED');
}

/** `Retry-After` in milliseconds: a number of seconds, or a date. 0: absent, past or not readable. */
function retryAfterMs(header: string | undefined): number {
  if (header === undefined) return 0;
  const wait = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return wait > 0 ? wait : 0;
}

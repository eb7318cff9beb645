import { ServiceError } from '../errors/index.js';
import { unknownVersion } from '../messages/index.js';
import { ForeignStreamError } from '../storage/index.js';
import type { ReactionSettings } from './reaction-options.js';
import { RetryAfterError } from './retry-after-error.js';

/** Errors that a retry would not fix. */
const lastingCodes: ReadonlySet<string> = new Set([
  'SVC_COMMAND_REJECTED',
  'SVC_INVALID_MESSAGE',
  'SVC_ACCESS_DENIED',
  'SVC_UNAUTHENTICATED',
  'SVC_REACTION_CHAIN',
  'SVC_INVALID_PROCESS_KEY',
  'SVC_UNREADABLE_EVENT',
  'SVC_UPCAST_FAILED',
]);

/** When a stream is tried again whose event needs a newer host. */
const newerHostMs = 30_000;

/** How long to wait after a failed attempt, between half and all of the delay so that streams do not meet; null: do not retry. */
export function delayAfter({ retry }: ReactionSettings, attempt: number, error: unknown): number | null {
  const { attempts, firstDelayMs, longestDelayMs, except } = retry;
  const isLasting = error instanceof ServiceError && lastingCodes.has(error.code);
  // During a rolling update, a host of the new version takes the stream over, however long that takes.
  if (error instanceof ServiceError && error.code === unknownVersion) return Math.min(newerHostMs, longestDelayMs);
  if (isLasting || error instanceof ForeignStreamError || attempt >= attempts) return null;
  if (except.some((kind) => error instanceof kind)) return null;
  const delay = Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs) * (0.5 + Math.random() / 2);
  return error instanceof RetryAfterError ? Math.min(Math.max(delay, error.retryAfterMs), longestDelayMs) : delay;
}

import type { Issue } from '@svc/core';
import { readEventWait, type EventWait } from '@svc/core/hosting';
import type { RequestContext } from './request-context.js';

/** The arguments of a query or a subscription. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The event that the caller waits for. */
export function eventIn(args: Arguments, { http }: RequestContext, issues: Issue[]): EventWait | null {
  const signal = (): AbortSignal => http.signal;
  return readEventWait(textOrNull(args['afterEvent']), numberOf(args['waitSeconds']), signal, issues);
}

/** GraphQL has checked that it is a number. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

import type { Issue } from '@svc/core';
import { readEventWait, waitBounds, type EventWait } from '@svc/core/hosting';
import { longestHeader } from '../content-type.js';
import { queryOf, type HostReply, type HostRequest } from '../host.js';
import { requestOf } from '../http-request.js';

/**
 * Reads which event a query waits for (`?afterEvent=<id>`) and how long (`Prefer: wait=<seconds>`, RFC 7240), and passes both to `answer`, or
 * what is wrong with them. The wait ends when the caller disconnects.
 */
export async function waiting<T>(
  request: HostRequest,
  reply: HostReply,
  answer: (after: EventWait | null, issues: readonly Issue[]) => Promise<T>,
): Promise<T> {
  const { afterEvent } = queryOf(request);
  if (afterEvent === undefined) return await answer(null, []);
  const preferred = preferredSeconds(request.headers['prefer']);
  const svcRequest = requestOf(request);
  svcRequest.begin();
  try {
    const issues: Issue[] = [];
    // A repeated parameter is not an id.
    const after = readEventWait(
      typeof afterEvent === 'string' ? afterEvent : '',
      preferred,
      () => svcRequest.signal,
      issues,
    );
    if (after !== null && preferred !== null)
      reply.header('preference-applied', `wait=${Math.min(preferred, waitBounds.mostSeconds)}`);
    return await answer(after, issues);
  } finally {
    svcRequest.end();
  }
}

const waitPreference = /^wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i;

/** The first preference counts. Null if it is missing or invalid. A preference may be ignored, so a long header is. */
function preferredSeconds(header: string | string[] | undefined): number | null {
  const text = String(header ?? '');
  if (text.length > longestHeader) return null;
  for (const preference of text.split(',')) {
    const [, seconds] = waitPreference.exec(preference.trim()) ?? [];
    if (seconds !== undefined) return Number(seconds);
  }
  return null;
}

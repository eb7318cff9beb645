import { ValidationError, type Issue } from '@svc/core';
import { readEventWait, waitBounds, type EventWait } from '@svc/core/hosting';
import { longestHeader, requestOf } from '@svc/http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Reads until which event a query waits (`?afterEvent=<id>`) and for how long (`Prefer: wait=<seconds>`, RFC 7240), and lets `answer`
 * do so. Nobody waits for a caller who has gone.
 */
export async function waiting<T>(
  request: FastifyRequest<{ Querystring: Record<string, unknown> }>,
  reply: FastifyReply,
  answer: (after: EventWait | null) => Promise<T>,
): Promise<T> {
  const { afterEvent } = request.query;
  if (afterEvent === undefined) return await answer(null);
  const preferred = preferredSeconds(request.headers['prefer']);
  const svcRequest = requestOf(request);
  svcRequest.begin();
  try {
    const issues: Issue[] = [];
    // What is there twice is no id.
    const after = readEventWait(
      typeof afterEvent === 'string' ? afterEvent : '',
      preferred,
      () => svcRequest.signal,
      issues,
    );
    if (issues.length > 0) throw new ValidationError(issues);
    if (preferred !== null) reply.header('preference-applied', `wait=${Math.min(preferred, waitBounds.mostSeconds)}`);
    return await answer(after);
  } finally {
    svcRequest.end();
  }
}

const waitPreference = /^wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i;

/** Of several the first counts. Null: there is none, or none that can be read. A preference may be ignored, so a long header is. */
function preferredSeconds(header: string | string[] | undefined): number | null {
  const text = String(header ?? '');
  if (text.length > longestHeader) return null;
  for (const preference of text.split(',')) {
    const [, seconds] = waitPreference.exec(preference.trim()) ?? [];
    if (seconds !== undefined) return Number(seconds);
  }
  return null;
}

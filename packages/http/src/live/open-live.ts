import type { SecurityContext } from '@svc/core';
import type { AccessControl, LiveWatch, PerspectiveQuery } from '@svc/core/hosting';
import { forbidSniffing } from '../browser-headers.js';
import { headersOfRequest } from '../credentials.js';
import type { HostReply, HostRequest } from '../host.js';
import { requestOf, type HttpRequest } from '../http-request.js';
import type { LiveConnections } from './live-connections.js';
import { LiveStream, type WriteStep } from './live-stream.js';

/** A request for a live query. */
export interface LiveRequest {
  readonly request: HostRequest;
  readonly reply: HostReply;
  readonly query: PerspectiveQuery;
  readonly caller: SecurityContext | null;
  /** The key of the model, if it is for one. */
  readonly key?: string | undefined;
  /** Starts the watch. Null: there is nothing to watch. */
  readonly begin: () => Promise<LiveWatch | null>;
  /** How its steps are written. */
  readonly bytesOf: WriteStep;
}

/**
 * Opens a live query as the body of a response, within the limits of the host. It ends when the caller may no longer see what it watches. Null: there is
 * nothing to watch, and the reply is unchanged.
 */
export async function openLive(
  connections: LiveConnections,
  access: AccessControl,
  live: LiveRequest,
): Promise<LiveStream | '' | null> {
  const { request, reply, query, caller, key } = live;
  const room = connections.reserve(nameOf(caller), query.name);
  try {
    const visible = await query.visibleTo(caller, key);
    const watch = await live.begin();
    if (watch !== null) setStreamHeaders(reply);
    if (watch === null || request.method === 'HEAD') {
      room.free();
      watch?.close();
      return watch === null ? null : '';
    }
    const stream = new LiveStream(watch, live.bytesOf, room.count);
    const headers = headersOfRequest(request);
    const check = async (): Promise<void> => {
      const now = await access.establish(headers);
      // A credential that stands for someone else now sees other models.
      if ((await query.visibleTo(now, key)) !== visible) throw new Error('The caller sees other models now.');
    };
    room.use({ stream, check });
    const known = requestOf(request);
    known.isLive = true;
    endWhenDisconnected(known, stream);
    // The request stays as long as the connection, and its body can be large.
    known.sentText = null;
    request.body = undefined;
    return stream;
  } catch (error) {
    room.free();
    throw error;
  }
}

/** Ends a stream when its client disconnects. A response that waits behind another one of its connection would not notice it. */
function endWhenDisconnected(request: HttpRequest, stream: LiveStream): void {
  request.signal.addEventListener('abort', () => stream.destroy(), { once: true });
  stream.once('close', () => request.end());
  request.begin();
}

/** The headers of server-sent events. */
export function setStreamHeaders(reply: HostReply): void {
  reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'private, no-store')
    // Proxies would collect events instead of passing each on.
    .header('x-accel-buffering', 'no');
  forbidSniffing(reply);
}

/** Callers without a user count together, for each tenant. */
function nameOf(caller: SecurityContext | null): string {
  const { tenantId, userId } = caller?.scope ?? {};
  return JSON.stringify([tenantId ?? null, userId ?? null]);
}

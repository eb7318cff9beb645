import type { IncomingHttpHeaders } from 'node:http';
import type { ReceivedRequest, SecurityContext } from '@svc/core';
import { CommandRequest } from '@svc/core/hosting';
import { connectionOf, unansweredOn, type ClientConnection, type RawRequest } from './client-connection.js';

/** Everything that svc knows of one HTTP request. Between `begin` and `end` its commands are cancelled if the client disconnects. */
export class HttpRequest extends CommandRequest {
  /** The authenticated caller; null before authentication, without a credential, and on routes without access control. */
  caller: SecurityContext | null = null;
  /** The body of a REST request as sent: reading a message may change the parsed body. Valid UTF-8, so it has the exact bytes. */
  sentText: string | null = null;
  /** The headers of a REST request; null over GraphQL. */
  headers: IncomingHttpHeaders | null = null;
  /** Whether its command failed: callers see less of an error of a command than of an error of the host's plugins. */
  commandFailed = false;
  /** Whether its response lasts as long as the client stays, so that its duration says nothing. */
  isLive = false;
  readonly #connection: ClientConnection;
  #unanswered: CommandRequest[] | undefined;

  constructor(raw: RawRequest) {
    super();
    this.#connection = connectionOf(raw);
  }

  /** Whether the client has disconnected. */
  get isGone(): boolean {
    return this.#connection.destroyed;
  }

  override received(): ReceivedRequest | null {
    const { headers, sentText } = this;
    return headers === null || sentText === null ? null : { headers, rawBody: Buffer.from(sentText) };
  }

  begin(): void {
    this.#unanswered = unansweredOn(this.#connection);
    this.#unanswered.push(this);
    if (this.isGone) this.abort();
  }

  /** The response is known: a disconnect has no effect any more. */
  end(): void {
    const unanswered = this.#unanswered;
    if (unanswered?.at(-1) === this) unanswered.pop();
    else unanswered?.splice(unanswered.indexOf(this), 1);
  }
}

/** A framework that declares the property creates all its requests with it, which is faster than adding it later. */
export const requestProperty = 'svcRequest';

/** A request of a host, which has one object with what svc knows of it. */
export interface RequestOwner {
  [requestProperty]?: HttpRequest | null;
  readonly raw: RawRequest;
}

/** Returns the one object for a request; the first call creates it. */
export function requestOf(host: RequestOwner): HttpRequest {
  return (host.svcRequest ??= new HttpRequest(host.raw));
}

/** Whether the response to a request lasts as long as the client stays. */
export function isLive({ svcRequest }: RequestOwner): boolean {
  return svcRequest?.isLive ?? false;
}

/** Returns the caller of a request; null if it is not authenticated. */
export function callerOf({ svcRequest }: RequestOwner): SecurityContext | null {
  return svcRequest?.caller ?? null;
}

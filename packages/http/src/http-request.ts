import type { SecurityContext } from '@svc/core';
import { CommandRequest } from '@svc/core/hosting';
import { connectionOf, unansweredOn, type ClientConnection, type RawRequest } from './client-connection.js';

/** Everything that is known of one HTTP request. Between `begin` and `end` its commands are cancelled when the client disconnects. */
export class HttpRequest extends CommandRequest {
  /** Who sent it, once authenticated; null before that, without a credential, and on routes that do not ask for one. */
  caller: SecurityContext | null = null;
  /** The body as it was sent, for a request under an idempotency key: reading a message may change what was parsed. */
  sentText: string | null = null;
  /** Whether its command failed: callers are told less of what a command throws than of what a plugin of the host throws. */
  commandFailed = false;
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

  begin(): void {
    this.#unanswered = unansweredOn(this.#connection);
    this.#unanswered.push(this);
    if (this.isGone) this.abort();
  }

  /** The answer is known: the client may disconnect without any effect. */
  end(): void {
    const unanswered = this.#unanswered;
    if (unanswered?.at(-1) === this) unanswered.pop();
    else unanswered?.splice(unanswered.indexOf(this), 1);
  }
}

/** A framework that knows the property makes all its requests with it, which is faster than to add it later. */
export const requestProperty = 'svcRequest';

/** A request as the framework of the host has it. */
export interface HostRequest {
  /** What svc knows of it. */
  [requestProperty]?: HttpRequest | null;
  readonly raw: RawRequest;
}

/** The one object for a request, made when the first part of svc asks for it. */
export function requestOf(host: HostRequest): HttpRequest {
  return (host.svcRequest ??= new HttpRequest(host.raw));
}

/** Who sent a request; null when they have not authenticated. */
export function callerOf({ svcRequest }: HostRequest): SecurityContext | null {
  return svcRequest?.caller ?? null;
}

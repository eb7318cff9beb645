import type { Gate } from '@svc/core/hosting';
import type { HostReply, HostRequest } from '../host.js';

/** One route of a service, for any host. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** Without the prefix: `/orders/:id`. */
  readonly path: string;
  /** What callers of a service with authentication need before the body is read; null: nothing, or the handler decides. */
  readonly gate: Gate | null;
  /** Reads a parsed body, or throws; null: the route has no body. */
  readonly readBody: ((value: unknown) => unknown) | null;
  /** Sets the headers of the response and returns its body. */
  readonly handle: (request: HostRequest, reply: HostReply) => Promise<string>;
  /** Whether it is called every few seconds for the lifetime of the host, so that its requests are not logged. */
  readonly isQuiet?: boolean;
  /** Whether it is a health probe, which a host answers as long as it listens. */
  readonly isProbe?: boolean;
}

import type { Readable } from 'node:stream';
import type { Service } from '@svc/core';
import type { Gate } from '@svc/core/hosting';
import type { HostReply, HostRequest } from '../host.js';
import type { LiveConnections } from '../live/index.js';
import type { PathValues } from './path-values.js';

/** The body of a response. A stream ends when the client disconnects, or when the service stops. */
export type RouteBody = string | Uint8Array | Readable;

/** One route of a service, for any host. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** Without the prefix: `/orders/:id`. */
  readonly path: string;
  /** What serves it, for an error about the route: `the perspective Orders`. Default: `an endpoint of svc`. */
  readonly owner?: string;
  /** What callers of a service with authentication need before the body is read; null: nothing, or the handler decides. */
  readonly gate: Gate | null;
  /** Authenticates callers of a service with authentication before the body is read, or throws, if the handler decides about access. */
  readonly establish?: (request: HostRequest, reply: HostReply) => Promise<void>;
  /** Reads a parsed body and the parameters of the path, or throws; null: the route has no body. */
  readonly readBody: ((value: unknown, params: PathValues) => unknown) | null;
  /** Whether `readBody` needs the parameters of the path. */
  readonly readsPath?: boolean;
  /** The largest body, in bytes. Default: that of the service. */
  readonly bodyLimit?: number;
  /** Sets the headers of the response and returns its body. */
  readonly handle: (request: HostRequest, reply: HostReply) => Promise<RouteBody>;
  /** Answers an error of the route, also one before its handler. Default: with a problem. */
  readonly answerError?: (request: HostRequest, reply: HostReply, error: unknown) => void;
  /** Answers a request for the path with another method; `allow` is set. Default: with a problem. */
  readonly rejectMethod?: (request: HostRequest, reply: HostReply) => void;
  /** Whether it is called every few seconds for the lifetime of the host, so that its requests are not logged. */
  readonly isQuiet?: boolean;
  /** Whether it is a health probe, which a host answers as long as it listens. */
  readonly isProbe?: boolean;
}

/**
 * Routes that a package adds to those of a service. Hosts call it once, when the service is ready. `live`: the connections of live queries; null: the
 * host serves none.
 */
export type AddedRoutes = <TServices extends object>(
  service: Service<TServices>,
  live: LiveConnections | null,
) => readonly Route[];

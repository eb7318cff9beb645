/** The requests and replies that svc needs of a host. Those of Fastify have this form; other hosts have an adapter. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { RequestOwner } from './http-request.js';

/** Where svc writes the lines of a request. Fastify's, pino's and the console's loggers have this form. */
export interface RequestLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A request of a host. */
export interface HostRequest extends RequestOwner {
  /** Its id in the log. */
  readonly id: string;
  readonly method: string;
  /** The path and the query as the client sent them, even if the host has changed them. */
  readonly originalUrl: string;
  readonly headers: IncomingHttpHeaders;
  /** The parameters of the query: a text each, or a list of texts. */
  readonly query: unknown;
  /** The parameters of the path. */
  readonly params: unknown;
  /** What the route has read of the body. */
  body?: unknown;
  readonly log: RequestLog;
}

/** A reply of a host. Names of headers are in lower case. */
export interface HostReply {
  code(status: number): this;
  hasHeader(name: string): boolean;
  getHeader(name: string): number | string | string[] | undefined;
  header(name: string, value: string | readonly string[]): this;
  removeHeader(name: string): unknown;
  /** Sends the whole response, or a stream until one side ends it. */
  send(body: string | Uint8Array | Readable): unknown;
  /** Sends nothing: the client is gone. */
  hijack(): unknown;
}

/** The path of a request without its query. */
export function pathOf({ originalUrl }: Pick<HostRequest, 'originalUrl'>): string {
  const query = originalUrl.indexOf('?');
  return query === -1 ? originalUrl : originalUrl.slice(0, query);
}

/** The parameters of the query of a request. */
export function queryOf({ query }: HostRequest): Readonly<Record<string, unknown>> {
  return query as Readonly<Record<string, unknown>>;
}

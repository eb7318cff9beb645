import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:querystring';
import type { RawRequest } from './client-connection.js';
import type { HostRequest, RequestLog } from './host.js';
import type { HttpRequest } from './http-request.js';
import { traceIdOf } from './trace-id.js';

/** What a host knows of a request. */
export interface RequestFacts<TRaw extends RawRequest> {
  readonly raw: TRaw;
  readonly method: string;
  readonly originalUrl: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly log: RequestLog;
}

/** A request of a host that svc has no plugin for. */
export class PlainRequest<TRaw extends RawRequest = RawRequest> implements HostRequest {
  svcRequest: HttpRequest | null = null;
  body: unknown;
  readonly raw: TRaw;
  readonly method: string;
  readonly originalUrl: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly #log: RequestLog;
  #id: string | undefined;
  #query: HostRequest['query'];

  constructor({ raw, method, originalUrl, headers, params, log }: RequestFacts<TRaw>) {
    this.raw = raw;
    this.method = method;
    this.originalUrl = originalUrl;
    this.headers = headers;
    this.params = params;
    this.#log = log;
  }

  /** The trace id that the client sent, or a new one. */
  get id(): string {
    return (this.#id ??= traceIdOf({ headers: this.headers }));
  }

  /** Every line has the trace id. */
  get log(): RequestLog {
    return {
      info: (fields, message) => this.#log.info({ traceId: this.id, ...fields }, message),
      error: (fields, message) => this.#log.error({ traceId: this.id, ...fields }, message),
    };
  }

  get query(): unknown {
    if (this.#query === undefined) {
      const start = this.originalUrl.indexOf('?');
      this.#query = start === -1 ? {} : parse(this.originalUrl.slice(start + 1));
    }
    return this.#query;
  }
}

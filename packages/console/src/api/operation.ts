import type { Service } from '@svc/core';
import type { Static, TObject, TSchema } from 'typebox';
import type { OidcSignIn } from '../contract/index.js';
import type { Download } from './download.js';

/** The settings of the console that operations need. */
export interface Settings {
  readonly title: string;
  readonly oidc: OidcSignIn | null;
  readonly traceUrl: string | null;
}

/** What an operation of the API receives. All of it is validated. */
export interface Call<TParams, TQuery, TBody> extends Settings {
  readonly service: Service;
  readonly params: TParams;
  readonly query: TQuery;
  readonly body: TBody;
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** One operation of the API: its route, its rights, its schemas for validation and OpenAPI, and its implementation. */
export interface Operation<
  TParams extends TObject = TObject,
  TQuery extends TObject = TObject,
  TBody extends TObject = TObject,
  TResponse extends TSchema = TSchema,
> {
  readonly method: 'GET' | 'POST';
  /** Below `/console/api`: `/perspectives/:name/rebuild`. */
  readonly path: string;
  readonly summary: string;
  /** `read`: needs `system:read`; `write`: needs `system:write`; null: needs no credential. */
  readonly right: 'read' | 'write' | null;
  readonly params: TParams;
  readonly query: TQuery;
  /** Null: the operation has no body. */
  readonly body: TBody | null;
  readonly response: TResponse;
  /** The content types of an operation whose response is a file; absent: JSON as `response` describes it. */
  readonly files?: readonly string[];
  answer(this: void, call: Call<Static<TParams>, Static<TQuery>, Static<TBody>>): Promise<Static<TResponse> | Download>;
}

/** Checks the types of an operation. */
export function operation<
  TParams extends TObject,
  TQuery extends TObject,
  TBody extends TObject,
  TResponse extends TSchema,
>(described: Operation<TParams, TQuery, TBody, TResponse>): Operation {
  return described;
}

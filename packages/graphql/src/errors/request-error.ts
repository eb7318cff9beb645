import { type Issue } from '@svc/core';
import { boundedIssues, boundedText } from '@svc/core/hosting';
import { GraphQLError } from 'graphql';
import type { GraphQLErrorCode } from './error-codes.js';

/** One error as callers receive it. */
export interface CallerError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: GraphQLErrorCode;
    /** The id of the request in the log. */
    readonly traceId?: string;
    readonly errors?: readonly Issue[];
  };
}

/** A request that is rejected before any of it is executed. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly statusCode: number;
  readonly errors: readonly CallerError[];

  constructor(statusCode: number, errors: readonly CallerError[]) {
    super(errors[0]?.message ?? 'The request was rejected.');
    this.statusCode = statusCode;
    this.errors = errors;
  }
}

export function requestError(
  statusCode: number,
  code: GraphQLErrorCode,
  message: string,
  errors?: readonly Issue[],
): RequestError {
  const extensions = errors === undefined ? { code } : { code, errors: boundedIssues(errors) };
  return new RequestError(statusCode, [{ message: boundedText(message), extensions }]);
}

/** Errors of graphql-js about a document or its variables: they quote only what the caller sent. */
export function documentError(code: GraphQLErrorCode, found: readonly unknown[]): RequestError {
  const errors = found.map((error): CallerError => {
    const locations = error instanceof GraphQLError ? (error.locations ?? []) : [];
    const message = boundedText(error instanceof Error ? error.message : String(error));
    return { message, ...(locations.length > 0 && { locations }), extensions: { code } };
  });
  return new RequestError(400, errors);
}

import { type Issue } from '@svc/core';
import { boundedIssues, boundedText } from '@svc/core/hosting';
import { GraphQLError } from 'graphql';
import type { GraphQLErrorCode } from './error-codes.js';

/** One error as callers get it. */
export interface CallerError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: GraphQLErrorCode;
    /** Under this id the log has more about it. */
    readonly traceId?: string;
    readonly errors?: readonly Issue[];
  };
}

/** A request that is refused before anything of it is executed. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly statusCode: number;
  readonly errors: readonly CallerError[];

  constructor(statusCode: number, errors: readonly CallerError[]) {
    super(errors[0]?.message ?? 'The request is refused.');
    this.statusCode = statusCode;
    this.errors = errors;
  }
}

export function refusal(
  statusCode: number,
  code: GraphQLErrorCode,
  message: string,
  errors?: readonly Issue[],
): RequestError {
  const extensions = errors === undefined ? { code } : { code, errors: boundedIssues(errors) };
  return new RequestError(statusCode, [{ message: boundedText(message), extensions }]);
}

/** Graphql's own complaints about a document or its variables: they quote what the caller sent, and nothing of ours. */
export function documentRefusal(code: GraphQLErrorCode, found: readonly unknown[]): RequestError {
  const errors = found.map((error): CallerError => {
    const locations = error instanceof GraphQLError ? (error.locations ?? []) : [];
    const message = boundedText(error instanceof Error ? error.message : String(error));
    return { message, ...(locations.length > 0 && { locations }), extensions: { code } };
  });
  return new RequestError(400, errors);
}

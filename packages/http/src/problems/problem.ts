import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import { type Issue } from '@svc/core';
import { boundedIssues, boundedText, failureByCode } from '@svc/core/hosting';
import {
  problemsOfCommands,
  problemsOfRequests,
  problemsOfStatuses,
  problemTypes,
  problemUrn,
  type ProblemName,
} from './problem-types.js';
import { RequestRejected } from './request-rejected.js';

/** A problem (RFC 9457) without the members that belong to one request. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly Issue[];
  /** The business rule that rejected a command. */
  readonly reason?: string;
}

const internalDetail = 'The service failed to process the request. Its log has the cause under this trace id.';
const unavailableDetail = 'The service cannot process the request at the moment. Try again later.';

/** The problem with a name. */
export function problem(name: ProblemName, detail: string, errors?: readonly Issue[]): Problem {
  const { status, title } = problemTypes[name];
  const base = { type: problemUrn(name), title, status, detail: boundedText(detail) };
  return errors === undefined ? base : { ...base, errors: boundedIssues(errors) };
}

/** The problem of an error thrown while a command ran: by hooks, receptors, behaviors or storage. */
export function problemOfCommand(error: unknown): Problem {
  // Client libraries set the status of another server; only an error with `expose` is meant for the caller.
  const isForCaller = propertyOf(error, 'expose') === true;
  return ofCode(error, problemsOfCommands) ?? (isForCaller ? ofStatus(error) : undefined) ?? internalError();
}

/** The problem of an error before the command: while reading the body, or in the host's own hooks and plugins. */
export function problemOfRequest(error: unknown): Problem {
  if (error instanceof RequestRejected) return problem(error.problem, error.message);
  return ofCode(error, problemsOfRequests) ?? ofStatus(error) ?? internalError();
}

/** The response headers of an error, as Fastify's plugins set them. Invalid ones are left out: sending them would fail. */
export function headersOf(error: unknown): Record<string, string> {
  const headers = propertyOf(error, 'headers');
  if (typeof headers !== 'object' || headers === null) return {};
  return Object.fromEntries(Object.entries(headers).filter(isValidHeader));
}

function isValidHeader(header: [name: string, value: unknown]): header is [string, string] {
  const [name, value] = header;
  if (typeof value !== 'string') return false;
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

function ofCode(error: unknown, problems: Readonly<Record<string, ProblemName>>): Problem | undefined {
  const failure = failureByCode(error, problems);
  if (failure === undefined) return undefined;
  const { name, detail, errors, reason } = failure;
  return { ...problem(name, detail, errors), ...(reason !== undefined && { reason }) };
}

function ofStatus(error: unknown): Problem | undefined {
  const status = propertyOf(error, 'statusCode');
  if (status === 503) return problem('unavailable', unavailableDetail);
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 499) return undefined;
  const message = propertyOf(error, 'message');
  const detail = typeof message === 'string' ? boundedText(message) : '';
  const name = problemsOfStatuses[status];
  if (name !== undefined) return problem(name, detail);
  return { type: 'about:blank', title: STATUS_CODES[status] ?? 'Client error', status, detail };
}

function internalError(): Problem {
  return problem('internal-error', internalDetail);
}

/** A property of a thrown value, which can be anything; undefined if it has none. */
function propertyOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

import { ServiceError, ValidationError } from '@svc/core';
import { loggedError } from '@svc/core/hosting';
import {
  forbidSniffing,
  RequestRejected,
  traceField,
  traceIdOf,
  type HostReply,
  type HostRequest,
} from '@svc/http/hosting';
import { codesOfStatuses, internalFailure, requestError, RequestError, type CallerError } from '../errors/index.js';
import { wantsStream, wholeStream } from './event-stream.js';
import { mediaTypeFor } from './media-type.js';

/** Responds to a failure before execution in the format that GraphQL clients expect. */
export function answerError(request: HostRequest, reply: HostReply, error: unknown): void {
  const known = requestErrorOf(error);
  if (known === null) {
    sendErrors(request, reply, 500, [internalError(request, error)]);
    return;
  }
  const code = known.errors[0]?.extensions.code;
  const trace = traceField(request.id, traceIdOf(request, error));
  request.log.info({ ...reasonOf(error), code, ...trace }, 'request rejected');
  // The headers of the error, such as Retry-After from Fastify's plugins.
  if (error instanceof Error && 'headers' in error && typeof error.headers === 'object' && error.headers !== null) {
    for (const [name, value] of Object.entries(error.headers)) if (typeof value === 'string') reply.header(name, value);
  }
  sendErrors(request, reply, known.statusCode, known.errors);
}

/** Why a request was rejected, for the log. The messages about a rejected document quote it; its code is enough. */
function reasonOf(error: unknown): object {
  if (error instanceof RequestError) return {};
  return error instanceof RequestRejected ? { detail: error.message } : { err: loggedError(error) };
}

export function sendErrors(
  request: HostRequest,
  reply: HostReply,
  status: number,
  errors: readonly CallerError[],
): void {
  if (wantsStream(request) && inStream.has(status)) {
    reply.code(200).send(wholeStream(reply, { errors }));
    return;
  }
  forbidSniffing(reply);
  const type = mediaTypeFor(request);
  reply
    .code(statusFor(type, status, errors))
    .header('content-type', type)
    .send(JSON.stringify({ errors }));
}

/** The statuses of errors in the request, which a client of streams expects in the stream: it would repeat a request with such a status. */
const inStream: ReadonlySet<number> = new Set([200, 400, 404]);

/** Clients that accept only JSON expect 200 for every well-formed request, even if its document is wrong. */
function statusFor(mediaType: string, status: number, errors: readonly CallerError[]): number {
  const code = errors[0]?.extensions.code;
  const isAboutDocument = code === 'GRAPHQL_PARSE_FAILED' || code === 'GRAPHQL_VALIDATION_FAILED';
  return isAboutDocument && mediaType.startsWith('application/json') ? 200 : status;
}

/** The error for a rejected request; null if the failure was not the caller's fault. */
export function requestErrorOf(error: unknown): RequestError | null {
  if (error instanceof RequestError) return error;
  if (!(error instanceof Error)) return null;
  if (error instanceof ValidationError) {
    return requestError(400, 'INVALID_REQUEST', 'The request is not valid; see errors.', error.issues);
  }
  if (error instanceof ServiceError && error.code === 'SVC_MALFORMED_JSON') {
    const place = error.cause instanceof SyntaxError ? `The body is not JSON: ${error.cause.message}.` : error.message;
    return requestError(400, 'MALFORMED_JSON', place);
  }
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 503)
    return requestError(503, 'UNAVAILABLE', 'The service cannot process the request at the moment. Try again later.');
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 499) return null;
  return requestError(status, codesOfStatuses[status] ?? 'BAD_REQUEST', error.message);
}

export function internalError(request: HostRequest, error: unknown): CallerError {
  const traceId = traceIdOf(request, error);
  request.log.error({ err: loggedError(error), ...traceField(request.id, traceId) }, 'request failed');
  const { code, message } = internalFailure;
  return { message, extensions: { code, traceId } };
}

import { ServiceError } from '@svc/core';
import { parseJson } from '@svc/core/json';
import { inStep, isJsonInUtf8 } from '@svc/http';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { readText } from './body-reader.js';

/** Makes JSON in UTF-8 the only body that the routes of `app` take. */
export function acceptJsonOnly(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, body, done) => {
    const { 'content-type': type, 'content-length': length } = request.headers;
    if (!isJsonInUtf8(type)) {
      done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    } else if (Number(length) > bodyLimit) {
      done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    } else {
      readText(body, bodyLimit, (error, text = '') => {
        if (error !== null) return done(error);
        if (idempotencyKeyOf(request) !== undefined) sentTexts.set(request, text);
        inStep(() => parse(text, done));
      });
    }
  });
}

/** Under it the first answer is kept, and given to whoever sends the same request again. */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  // Of several headers of that name Node makes one, which is no key.
  return headers['idempotency-key'] as string | undefined;
}

const sentTexts = new WeakMap<FastifyRequest, string>();

/** The body of a request under an idempotency key as it was sent, before it was read. */
export function sentBodyOf(request: FastifyRequest): unknown {
  return JSON.parse(sentTexts.get(request) ?? 'null');
}

function parse(text: string, done: (error: Error | null, value?: unknown) => void): void {
  let value: unknown;
  try {
    if (text === '') throw new ServiceError('SVC_MALFORMED_JSON', 'The body is empty.');
    value = parseJson(text);
  } catch (error) {
    done(sayingWhere(error as Error));
    return;
  }
  done(null, value);
}

/** What the parser says of the place helps whoever wrote the body; it quotes a few characters of it at most. */
function sayingWhere(error: Error): Error {
  if (!(error instanceof ServiceError) || !(error.cause instanceof SyntaxError)) return error;
  const { cause, code } = error;
  return new ServiceError(code, `The body is not JSON: ${cause.message}.`, { cause });
}

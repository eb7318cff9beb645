import { ServiceError } from '@svc/core';
import { parseJson } from '@svc/core/json';
import { bodyTooLarge, inStep, isJsonInUtf8, readEncodedText, requestOf } from '@svc/http';
import { errorCodes, type FastifyInstance } from 'fastify';

/** Makes the routes of `app` accept only JSON in UTF-8. */
export function acceptJsonOnly(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, body, done) => {
    const { 'content-type': type, 'content-length': length } = request.headers;
    if (!isJsonInUtf8(type)) {
      done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    } else if (Number(length) > bodyLimit) {
      done(bodyTooLarge());
    } else {
      // A hook of the host may have decoded it.
      const encoding = body === request.raw ? request.headers['content-encoding'] : undefined;
      readEncodedText(body, encoding, bodyLimit, (error, text = '') => {
        if (error !== null) return done(error);
        requestOf(request).sentText = text;
        inStep(() => parse(text, done));
      });
    }
  });
}

function parse(text: string, done: (error: Error | null, value?: unknown) => void): void {
  let value: unknown;
  try {
    if (text === '') throw new ServiceError('SVC_MALFORMED_JSON', 'The body is empty.');
    value = parseJson(text);
  } catch (error) {
    done(withParserMessage(error as Error));
    return;
  }
  done(null, value);
}

/** Adds the parser's position, which helps the client; it quotes only a few characters of the body. */
function withParserMessage(error: Error): Error {
  if (!(error instanceof ServiceError) || !(error.cause instanceof SyntaxError)) return error;
  const { cause, code } = error;
  return new ServiceError(code, `The body is not JSON: ${cause.message}.`, { cause });
}

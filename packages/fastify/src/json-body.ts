import { isAscii, isUtf8 } from 'node:buffer';
import { ServiceError } from '@svc/core';
import { parseJson } from '@svc/core/json';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorCodes } from 'fastify';

/** Makes JSON in UTF-8 the only body that the routes of `app` take. */
export function acceptJsonOnly(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit },
    (request: FastifyRequest, body: Buffer, done) => {
      let value: unknown;
      try {
        const type = request.headers['content-type'];
        if (type !== 'application/json' && !hasUtf8Charset(type)) throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE();
        value = parseBody(body);
      } catch (error) {
        done(error as Error);
        return;
      }
      done(null, value);
    },
  );
}

function parseBody(body: Buffer): unknown {
  if (body.length === 0) throw new ServiceError('SVC_MALFORMED_JSON', 'The body is empty.');
  // Most bodies are ASCII, and decoding those is a plain copy.
  const isPlain = isAscii(body);
  if (!isPlain && !isUtf8(body)) throw new ServiceError('SVC_MALFORMED_JSON', 'The body is not valid UTF-8.');
  try {
    return parseJson(body.toString(isPlain ? 'latin1' : 'utf8'));
  } catch (error) {
    throw sayingWhere(error);
  }
}

/** What the parser says of the place helps whoever wrote the body; it quotes a few characters of it at most. */
function sayingWhere(error: unknown): unknown {
  if (!(error instanceof ServiceError) || !(error.cause instanceof SyntaxError)) return error;
  const { cause, code } = error;
  return new ServiceError(code, `The body is not JSON: ${cause.message}.`, { cause });
}

const charset = /;\s*charset\s*=\s*("?)([^";\s]*)\1\s*(?=;|$)/gi;

/** Whether every charset of a content type is UTF-8; most name none. */
function hasUtf8Charset(contentType: string | undefined): boolean {
  if (contentType === undefined) return false;
  for (const [, , name] of contentType.matchAll(charset)) {
    if (name!.toLowerCase() !== 'utf-8') return false;
  }
  return true;
}

import type { Readable } from 'node:stream';
import { ServiceError } from '@svc/core';
import { parseJson } from '@svc/core/json';
import { BodyError } from './body-error.js';
import { bodyTooLarge } from './body-reader.js';
import { isJsonInUtf8 } from './content-type.js';
import { readEncodedText } from './encoded-body.js';
import type { HostRequest } from './host.js';
import { requestOf } from './http-request.js';
import { inStep } from './in-step.js';

type Done = (error: Error | null, value?: unknown) => void;

/** A body as the client sent it, or as a hook of the host has decoded it. */
export interface SentBody {
  readonly stream: Readable;
  /** Its `Content-Encoding`; undefined: it is decoded. */
  readonly encoding: string | undefined;
}

/** Reads the body of a request as JSON in UTF-8; anything else is an error. */
export function readJsonBody(
  request: HostRequest,
  { stream, encoding }: SentBody,
  bodyLimit: number,
  done: Done,
): void {
  const { 'content-type': type, 'content-length': length } = request.headers;
  if (!isJsonInUtf8(type)) return done(new BodyError(415, unsupported));
  if (Number(length) > bodyLimit) return done(bodyTooLarge());
  readEncodedText(stream, encoding, bodyLimit, (error, text = '') => {
    if (error !== null) return done(error);
    requestOf(request).sentText = text;
    inStep(() => parse(text, done));
  });
}

const unsupported = 'The body must be JSON: send the Content-Type "application/json", in UTF-8.';

function parse(text: string, done: Done): void {
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

import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { ServiceError } from '@svc/core';
import { BodyError } from './body-error.js';

type Read = (error: Error | null, text?: string) => void;

/** Reads a body of at most `limit` bytes as text and passes it to `read` when it is complete. Fastify's parser would replace invalid UTF-8. */
export function readText(body: Readable, limit: number, read: Read): void {
  const chunks: Buffer[] = [];
  let length = 0;
  body.on('data', onData);
  body.on('end', onEnd);
  body.on('error', onError);
  body.resume();

  function onData(chunk: Buffer | string): void {
    // A host's hook may replace the request by a stream of strings.
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    length += bytes.length;
    if (length <= limit) chunks.push(bytes);
    else finish(bodyTooLarge());
  }

  function onEnd(): void {
    const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length);
    const text = bytes.toString('utf8');
    if (text.includes(replacementCharacter) && !isUtf8(bytes)) {
      finish(new ServiceError('SVC_MALFORMED_JSON', 'The body is not valid UTF-8.'));
    } else {
      finish(null, text);
    }
  }

  function onError(error: Error): void {
    finish('statusCode' in error ? error : Object.assign(error, { statusCode: 400 }));
  }

  function finish(error: Error | null, text?: string): void {
    // Removing the listeners is cheaper: the stream would call them until it is closed.
    body.removeListener('data', onData);
    body.removeListener('end', onEnd);
    body.removeListener('error', onError);
    read(error, text);
  }
}

/** The error for a body that exceeds its limit. */
export function bodyTooLarge(): BodyError {
  return new BodyError(413, 'The body is too large.');
}

/** What decoding puts in place of invalid UTF-8. The client may also have sent this character. */
const replacementCharacter = '\uFFFD';

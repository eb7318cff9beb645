import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { ServiceError } from '@svc/core';
import { BodyError } from './body-error.js';

type Read = (error: Error | null, text?: string) => void;

/** Reads a body of at most `limit` bytes as text and passes it to `read` when it is complete. Fastify's parser would replace invalid UTF-8. */
export function readText(body: Readable, limit: number, read: Read): void {
  /** The bytes that have arrived are at its start. A client may send each of them as a chunk of its own, which would take far more memory. */
  let bytes: Buffer = noBytes;
  let length = 0;
  body.on('data', onData);
  body.on('end', onEnd);
  body.on('error', onError);
  body.resume();

  function onData(chunk: Buffer | string): void {
    // A host's hook may replace the request with a stream of strings.
    const added = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (length + added.length > limit) return finish(bodyTooLarge());
    if (length === 0) {
      bytes = added;
    } else {
      if (length + added.length > bytes.length)
        bytes = enlarged(bytes, length, Math.min(limit, 2 * (length + added.length)));
      added.copy(bytes, length);
    }
    length += added.length;
  }

  function onEnd(): void {
    const whole = bytes.subarray(0, length);
    const text = whole.toString('utf8');
    if (text.includes(replacementCharacter) && !isUtf8(whole)) {
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
    if (error !== null) ignoreErrors(body);
    read(error, text);
  }
}

const noBytes = Buffer.alloc(0);

function enlarged(bytes: Buffer, length: number, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  bytes.copy(larger, 0, 0, length);
  return larger;
}

/** For a body that is no longer read: if its client disconnects, the streams of some hosts have an error, which without a listener ends the process. */
export function ignoreErrors(body: Readable): void {
  body.on('error', () => {});
}

/** The error for a body that exceeds its limit. */
export function bodyTooLarge(): BodyError {
  return new BodyError(413, 'The body is too large.');
}

/** What decoding puts in place of invalid UTF-8. The client may also have sent this character. */
const replacementCharacter = '\uFFFD';

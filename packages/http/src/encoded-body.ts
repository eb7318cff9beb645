import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, type Gunzip } from 'node:zlib';
import { BodyError } from './body-error.js';
import { ignoreErrors, readText } from './body-reader.js';

const decoders: Readonly<Record<string, () => Gunzip>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The value of `Accept-Encoding` for clients that sent another one. */
const accepted = 'gzip, deflate, br';

/**
 * Reads a body with a `Content-Encoding` as text. `limit` applies to the decoded bytes; decoding ends there, however small the body is on
 * the wire.
 */
export function readEncodedText(
  body: Readable,
  encoding: string | undefined,
  limit: number,
  read: (error: Error | null, text?: string) => void,
): void {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return readText(body, limit, read);
  const create = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (create === undefined) {
    const message = `The body must be sent as it is, or with one of the encodings ${accepted}.`;
    return read(new BodyError(415, message, { 'accept-encoding': accepted }));
  }
  const decoder = create();
  const onError = (error: Error): void => void decoder.destroy(error);
  body.once('error', onError);
  body.pipe(decoder);
  readText(decoder, limit, (error, text) => {
    body.removeListener('error', onError);
    body.unpipe(decoder);
    // Discards the rest of a body that was rejected.
    body.resume();
    ignoreErrors(body);
    ignoreErrors(decoder);
    decoder.destroy();
    read(error === null || error instanceof BodyError ? error : failureOf(error, name), text);
  });
}

function failureOf(error: Error, name: string): Error {
  const code = 'code' in error ? String(error.code) : '';
  // The codes of zlib, and those of Brotli.
  const isCorrupt = code.startsWith('Z_') || code.startsWith('ERR_');
  return isCorrupt ? new BodyError(400, `The body is not valid ${name}.`) : error;
}

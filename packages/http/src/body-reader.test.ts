import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readText } from './body-reader.js';

function read(parts: (Uint8Array | string)[], limit = 1000): Promise<string> {
  return new Promise((resolve, reject) =>
    readText(Readable.from(parts, { objectMode: true }), limit, (error, text) => {
      if (error === null) resolve(text!);
      else reject(error);
    }),
  );
}

it('joins the parts of a body, also in the middle of a character', async () => {
  const bytes = Buffer.from('{"a":"€😀"}');
  const parts = [...bytes].map((byte) => Uint8Array.of(byte)).map((part) => Buffer.from(part));
  expect(await read(parts)).toBe('{"a":"€😀"}');
});

it('reads strings from a stream that replaces the request', async () => {
  expect(await read(['"€', '😀"'])).toBe('"€😀"');
});

it('distinguishes a replacement character that was sent from invalid UTF-8', async () => {
  expect(await read([Buffer.from('"\uFFFD"')])).toBe('"\uFFFD"');
  await expect(read([Buffer.from('"\uFFFD"'), Buffer.of(0xff)])).rejects.toThrow('The body is not valid UTF-8.');
});

it('counts bytes, not characters, and reads nothing beyond the limit', async () => {
  expect(await read([Buffer.from('€€')], 6)).toBe('€€');
  await expect(read([Buffer.from('€'), Buffer.from('€x'), Buffer.from('more')], 6)).rejects.toMatchObject({
    statusCode: 413,
  });
});

it('leaves no listener behind', async () => {
  const stream = Readable.from([Buffer.from('{}')]);
  await new Promise((resolve) => readText(stream, 10, resolve));
  expect(stream.eventNames().filter((name) => name === 'data' || name === 'end' || name === 'error')).toEqual([]);
});

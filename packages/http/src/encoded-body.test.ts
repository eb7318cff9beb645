import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import { readEncodedText } from './encoded-body.js';

it('stops decoding at the limit', async () => {
  // A million bytes on the wire, a gigabyte when decoded.
  const bomb = gzipSync(Buffer.alloc(8_000_000, 32));
  const parts = Array.from({ length: 128 }, () => bomb);
  const body = Readable.from(parts);
  let decoder: NodeJS.WritableStream | undefined;
  const pipe = vi.spyOn(body, 'pipe').mockImplementation((to) => {
    decoder = to;
    return Readable.prototype.pipe.call(body, to);
  });
  const error = await new Promise<Error | null>((resolve) => readEncodedText(body, 'gzip', 100_000, resolve));
  expect(error).toMatchObject({ statusCode: 413 });
  expect(pipe).toHaveBeenCalledOnce();
  expect(decoder).toMatchObject({ destroyed: true });
});

it('reports that the client disconnected', async () => {
  const body = new Readable({ read() {} });
  const reading = new Promise<Error | null>((resolve) => readEncodedText(body, 'br', 1000, resolve));
  body.destroy(new Error('aborted'));
  expect(await reading).toMatchObject({ message: 'aborted' });
});

it('ignores errors of a body that it has rejected, or whose end it did not need', async () => {
  for (const sent of [Buffer.from('no gzip'), gzipSync('{}')]) {
    const body = new Readable({ read() {} });
    const reading = new Promise((resolve) => readEncodedText(body, 'gzip', 1000, resolve));
    body.push(sent);
    await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, 100))]);
    body.destroy(new Error('aborted'));
    await reading;
    await new Promise((resolve) => setImmediate(resolve));
    expect(body.destroyed).toBe(true);
  }
});

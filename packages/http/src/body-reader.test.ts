import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

it('joins parts of all sizes up to the limit', async () => {
  const text = 'abcdefghij'.repeat(100);
  for (const size of [1, 7, 333, 999]) {
    const parts = Array.from({ length: Math.ceil(1000 / size) }, (_, i) =>
      Buffer.from(text.slice(i * size, (i + 1) * size)),
    );
    expect(await read(parts, 1000)).toBe(text);
    await expect(read([...parts, Buffer.from('x')], 1000)).rejects.toMatchObject({ statusCode: 413 });
  }
  expect(await read([Buffer.alloc(0), Buffer.from('{'), Buffer.alloc(0), Buffer.from('}')])).toBe('{}');
  expect(await read([])).toBe('');
});

it('retains no part of a body, each of which a client can make tiny', async () => {
  const body = new Readable({ read() {} });
  const reading = new Promise((resolve) => readText(body, 1000, (_error, text) => resolve(text)));
  const blocks: WeakRef<ArrayBufferLike>[] = [];
  for (let i = 0; i < 100; i++) {
    // As small parts come from a socket, each in a large block of memory.
    const block = Buffer.alloc(65_536, 32);
    blocks.push(new WeakRef(block.buffer));
    body.push(block.subarray(0, 1));
    await new Promise(setImmediate);
  }
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  expect(blocks.filter((block) => block.deref() !== undefined).length).toBeLessThan(10);
  body.push(null);
  expect(await reading).toBe(' '.repeat(100));
});

it('ignores errors of a body that it has rejected', async () => {
  const body = new Readable({ read() {} });
  const reading = new Promise<Error | null>((resolve) => readText(body, 1, resolve));
  body.push('{}');
  expect(await reading).toMatchObject({ statusCode: 413 });
  body.destroy(new Error('aborted'));
  await new Promise((resolve) => body.once('close', resolve));
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

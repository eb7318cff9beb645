import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { HostReply, HostRequest } from '../host.js';
import { builtPage, pageFileRoute } from './page-file.js';

it('a page that is not built names the command that builds it', async () => {
  const cause = new Error('Cannot find module');
  await expect(builtPage('the API page', () => Promise.reject(cause))).rejects.toMatchObject({
    message: 'Cannot load the API page: its files are not built. Run "npm run build" in the repository of svc.',
    cause,
  });
});

it('sends one copy of a file to all clients, compressed or not', async () => {
  const file = { type: 'text/javascript', version: '1', gzip: gzipSync('alert(1)').toString('base64') };
  const { handle } = pageFileRoute('/page.js', null, () => Promise.resolve(file));
  const request = (encoding: string) =>
    ({ query: {}, headers: { 'accept-encoding': encoding } }) as unknown as HostRequest;
  const reply = { header: () => reply, hasHeader: () => false, getHeader: () => undefined } as unknown as HostReply;
  const [compressed, again] = [await handle(request('gzip'), reply), await handle(request('gzip'), reply)];
  expect(gunzipSync(compressed as Uint8Array).toString()).toBe('alert(1)');
  expect(again).toBe(compressed);
  const plain = await Promise.all([handle(request('identity'), reply), handle(request('identity'), reply)]);
  expect(Buffer.from(plain[0] as Uint8Array).toString()).toBe('alert(1)');
  expect(plain[1]).toBe(plain[0]);
});

/** The reference service as a process: a stalled client neither delays its exit nor makes it fail. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitFor } from '../deploy/wait-for.js';

const program = fileURLToPath(new URL('../../examples/orders/dist/main.js', import.meta.url));
/** A client that delays the drain does so for at least 20 s. */
const quickMs = 8_000;

let folder: string;
let service: ChildProcess;
let client: Socket;
let received = '';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-stalled-'));
  const env = { PATH: process.env['PATH'], PORT: '0', DRAIN_NOTICE_MS: '0' };
  service = spawn(process.execPath, [program], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  service.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const port = await waitFor(() => /http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1], 'the service');
  received = '';
  client = connect(Number(port), '127.0.0.1');
  client.on('data', (chunk: Buffer) => (received += chunk.toString()));
  client.on('error', () => {});
  await once(client, 'connect');
});
afterEach(() => {
  client.destroy();
  service.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function expectQuickEnd(): Promise<void> {
  const started = performance.now();
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(performance.now() - started).toBeLessThan(quickMs);
}

const head = 'POST /orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

it('exits with code 0 soon after SIGTERM if the body of a request stalls', async () => {
  client.write(`${head}Content-Length: 500\r\nExpect: 100-continue\r\n\r\n`);
  await waitFor(() => received.includes('100 Continue'), 'the request');
  client.write('{"cu');
  await expectQuickEnd();
  expect(received).toContain('HTTP/1.1 503 Service Unavailable');
});

it('exits with code 0 soon after SIGTERM if the headers of a request stall', async () => {
  client.write(head);
  // Another connection is served after the first one has arrived.
  await fetch(`http://127.0.0.1:${client.remotePort}/health/live`);
  await expectQuickEnd();
});

it('exits with code 0 soon after SIGTERM if a connection is idle', async () => {
  client.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  await waitFor(() => received.includes('200 OK'), 'the answer');
  await expectQuickEnd();
});

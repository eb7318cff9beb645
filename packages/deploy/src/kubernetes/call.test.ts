import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect } from './api.js';
import { call } from './call.js';

/** Accepts every request and never responds. */
const silent = createServer(() => {});
const folder = mkdtempSync(join(tmpdir(), 'svc-call-'));

beforeEach(async () => {
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  silent.closeAllConnections();
  silent.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

function kubeconfig(): string {
  const path = join(folder, 'kubeconfig');
  const server = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'test', user: {} }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

describe('an API that does not answer', () => {
  it('counts as unreachable after 10 s, and the request is aborted', async () => {
    const { apps } = connect({ kubeconfig: kubeconfig() });
    const requested = once(silent, 'request') as Promise<[IncomingMessage]>;
    const failure = call('read Deployment orders', (options) =>
      apps.readNamespacedDeployment({ name: 'orders', namespace: 'shop' }, options),
    ).catch((error: unknown) => error);
    const [request] = await requested;
    const ended = once(request.socket, 'close');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await failure).toMatchObject({
      code: 'unreachable',
      message: 'Cannot read Deployment orders: the Kubernetes API is unreachable: no answer within 10 s',
    });
    await ended;
  });

  it('counts as unreachable when the login hangs', async () => {
    const failure = call('read it', () => new Promise(() => {})).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await failure).toMatchObject({ code: 'unreachable' });
  });
});

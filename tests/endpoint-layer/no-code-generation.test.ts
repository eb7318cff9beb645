import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('run-endpoint-layer.mjs', import.meta.url));

it('serves and audits the whole example with code generation from strings disabled', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--disallow-code-generation-from-strings', script], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toEqual([
    'new Function: rejected',
    expect.stringMatching(/^\/orders \{"orderId":"[0-9a-f-]{36}"\}$/),
    '/orders SVC_INVALID_MESSAGE',
    '/orders/change-delivery-address {"customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","street":"2 Side St","city":"Shelbyville","state":"IL","zipCode":"62565"}',
    expect.stringMatching(/^\/orders\/pay \{"status":"pending"/),
    '/orders/cancel null',
    expect.stringMatching(/^svc\.EventAudited \{"orderId":"[0-9a-f-]{36}","reason":"changed my mind"\}$/),
    expect.stringMatching(/^svc\.CommandAudited \{"orderId":"[0-9a-f-]{36}","reason":"changed my mind"\}$/),
  ]);
});

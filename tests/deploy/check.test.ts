/** Pre- and post-deployment checks as a command, against examples/orders behind HAProxy. */
import type { CheckResult } from '@svc/deploy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Rig } from './rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await Rig.start();
  await rig.must('install', '--environment', 'blue', '--version', 'v1');
}, 60_000);
afterAll(() => rig.stop());

const smoke = {
  create: {
    path: '/orders',
    body: {
      customerId: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
      lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
      shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
    },
  },
  read: { path: '/orders/{/orderId}' },
};

describe('svc deploy check', { timeout: 60_000 }, () => {
  it('--post passes with a healthy service, one create and one read, and at most 5 % errors', async () => {
    const post = { url: `http://127.0.0.1:${rig.port}`, smoke, watchMs: 500, minRequests: 3 };
    rig.configure({ checks: { post } });
    const load = rig.load();
    const { code, out } = await rig.svc('check', '--post');
    await load.stop();
    expect(out).toMatch(/^health endpoint +ok +\d+ ms +\/health\/ready returned 200$/m);
    expect(out).toMatch(/^smoke test +ok +\d+ ms +POST \/orders, then GET \/orders\/\{\/orderId\}$/m);
    expect(out).toMatch(/^error rate +ok +\d+ ms +0\.00 % of \d+ requests$/m);
    expect(code).toBe(0);
  });

  it('--post fails without traffic, and with a smoke test that fails', async () => {
    const wrong = { ...smoke, read: { method: 'POST', path: '/orders/{/orderId}/nothing' } };
    rig.configure({ checks: { post: { url: `http://127.0.0.1:${rig.port}`, smoke: wrong, watchMs: 50 } } });
    const { code, out } = await rig.svc('check', '--post', '--json');
    expect(code).toBe(1);
    const { passed, checks } = JSON.parse(out) as { passed: boolean; checks: CheckResult[] };
    expect(passed).toBe(false);
    expect(checks.map(({ name, status }) => `${name}: ${status}`)).toEqual([
      'health endpoint: passed',
      'smoke test: failed',
      'error rate: failed',
    ]);
    expect(checks[1]?.detail).toMatch(/^read: POST \/orders\/[0-9a-f-]{36}\/nothing returned 404 instead of 200/);
    expect(checks[2]?.detail).toContain('not enough data');
  });

  it('--post passes without traffic if that is allowed', async () => {
    rig.configure({ checks: { post: { watchMs: 50, minRequests: 0 } } });
    const { code, out } = await rig.svc('check', '--post');
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^error rate +ok +\d+ ms +no requests$/m) as string,
    });
  });

  it('--pre runs the configured checks and lists the others', async () => {
    rig.configure({ checks: { pre: { integrationTests: 'exit 0' } } });
    const { code, out } = await rig.svc('check', '--pre');
    expect(code).toBe(0);
    expect(out).toMatch(/^database connectivity +skipped/m);
    expect(out).toMatch(/^integration tests +ok/m);
  });

  it('requires --pre or --post', async () => {
    expect(await rig.svc('check')).toMatchObject({ code: 2, error: 'Pass either --pre or --post.' });
  });
});

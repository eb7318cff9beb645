import { expect, it } from 'vitest';
import { withForced, type HttpRoute } from './http-route.js';

const blue = { name: 'orders-blue', port: 80, weight: 90 };
const green = { name: 'orders-green', port: 80, weight: 10 };
const rewrite = { type: 'URLRewrite', urlRewrite: { hostname: 'orders.internal' } } as const;
const billing = { matches: [{ path: { value: '/billing' } }], backendRefs: [{ name: 'billing', port: 80 }] };
const orders = {
  name: 'orders',
  matches: [{ path: { value: '/orders' } }, { method: 'GET' as const, headers: [{ name: 'x-shop', value: 'eu' }] }],
  filters: [rewrite],
  timeouts: { request: '5s' },
  backendRefs: [blue, green],
};
const route: HttpRoute = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  spec: { rules: [billing, orders] },
};

it('matches the requests of the weighted rule that have the header, copies its filters, and leaves other rules unchanged', () => {
  expect(withForced(route, 'orders', 'x-svc-version', 'green').spec?.rules).toEqual([
    {
      matches: [
        { path: { value: '/orders' }, headers: [{ name: 'x-svc-version', value: 'new' }] },
        {
          method: 'GET',
          headers: [
            { name: 'x-shop', value: 'eu' },
            { name: 'x-svc-version', value: 'new' },
          ],
        },
      ],
      filters: [rewrite],
      timeouts: { request: '5s' },
      backendRefs: [{ ...green, weight: 1 }],
    },
    billing,
    orders,
  ]);
});

it('matches every request with the header where the weighted rule matches every request', () => {
  const plain: HttpRoute = { ...route, spec: { rules: [{ backendRefs: [blue, green] }] } };
  expect(withForced(plain, 'orders', 'x-svc-version', 'blue').spec?.rules?.[0]).toEqual({
    matches: [{ headers: [{ name: 'x-svc-version', value: 'new' }] }],
    backendRefs: [{ ...blue, weight: 1 }],
  });
});

it('is added once and removed completely', () => {
  const once = withForced(route, 'orders', 'x-svc-version', 'green');
  expect(withForced(once, 'orders', 'x-svc-version', 'green')).toEqual(once);
  expect(withForced(once, 'orders', 'x-svc-version', null)).toEqual(route);
});

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

it('takes with the header what the weighed rule takes, does with it what that one does, and leaves other rules alone', () => {
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

it('takes everything with the header where the weighed rule takes everything', () => {
  const plain: HttpRoute = { ...route, spec: { rules: [{ backendRefs: [blue, green] }] } };
  expect(withForced(plain, 'orders', 'x-svc-version', 'blue').spec?.rules?.[0]).toEqual({
    matches: [{ headers: [{ name: 'x-svc-version', value: 'new' }] }],
    backendRefs: [{ ...blue, weight: 1 }],
  });
});

it('is there once, and leaves nothing behind', () => {
  const once = withForced(route, 'orders', 'x-svc-version', 'green');
  expect(withForced(once, 'orders', 'x-svc-version', 'green')).toEqual(once);
  expect(withForced(once, 'orders', 'x-svc-version', null)).toEqual(route);
});

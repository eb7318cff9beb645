/** The four strategies in a cluster: their API calls and the order of these. */
import type { RolloutClaim } from '@svc/deploy';
import { kubernetesPlatform } from '@svc/deploy/kubernetes';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Cluster } from './cluster.js';
import { EmulatedPrometheus } from './prometheus.js';
import type { Kubernetes } from './rollout.js';

let cluster: Cluster;
let prometheus: EmulatedPrometheus | undefined;
afterEach(async () => {
  await cluster.stop();
  await prometheus?.stop();
  prometheus = undefined;
});

const imageOf = (deployment: Kubernetes): unknown => {
  const { spec } = deployment.spec['template'] as { spec: { containers: { image: string }[] } };
  return spec.containers[0]?.image;
};

describe('canary in a cluster', () => {
  const quick = ['--stage-time', '30ms', '--poll', '10ms', '--no-data-time', '50ms', '--min-requests', '20'];
  const ok = (query: string): { metric: Record<string, string>; value: number }[] =>
    query.startsWith('histogram_quantile')
      ? [{ metric: {}, value: 0.012 }]
      : [{ metric: { code: '200' }, value: 400.4 }];
  const requests = 'gateway_requests_total{service="{service}-{environment}"}';

  beforeEach(async () => {
    prometheus = await EmulatedPrometheus.start();
    const durationBuckets = 'gateway_duration_seconds_bucket{service="{service}-{environment}"}';
    cluster = await Cluster.start('canary', { prometheus: { url: prometheus.url, requests, durationBuckets } });
  });

  /** The weights of the route, each time it was written. */
  const weights = (): unknown[] =>
    cluster.api.calls
      .filter(({ method }) => method === 'PUT')
      .map(({ body }) => {
        const { rules } = (body as { spec: { rules: { backendRefs: { weight: number }[] }[] } }).spec;
        return rules
          .at(-1)
          ?.backendRefs.map(({ weight }) => weight)
          .join('/');
      });

  it('installs, waits until it is ready, adds the header match, changes both weights in one write, and cleans up', async () => {
    prometheus!.answer = ok;
    const { code, out } = await cluster.svc('canary', '--version', 'v2', ...quick);
    expect(code).toBe(0);
    expect(out).toContain('stage 10 % passed: 400 requests, 0.00 % errors, p99 12.0 ms.');
    expect(out).toContain('stage 25 %  blue 75 %, green 25 %  400 requests, 0.00 % errors, p99 12.0 ms  0 s of 0 s');
    expect(cluster.api.writes[1]).toBe('PATCH deployments/orders-green');
    expect(imageOf(cluster.object('deployments/orders-green'))).toBe('registry.example/orders:v2');
    expect([...new Set(weights())]).toEqual(['100/0', '90/10', '75/25', '50/50', '25/75', '0/100']);
    const forced = cluster.api.calls.find(({ method }) => method === 'PUT')?.body;
    expect(forced).toMatchObject({
      spec: {
        rules: [
          {
            matches: [{ headers: [{ name: 'x-svc-version', value: 'new' }] }],
            backendRefs: [{ name: 'orders-green', weight: 1 }],
          },
          { backendRefs: [{ name: 'orders-blue' }, { name: 'orders-green' }] },
        ],
      },
    });
    expect((await cluster.svc('status')).out).toMatch(/^green +100 % +v2 /m);
    const { spec, metadata } = cluster.object('httproutes/orders');
    expect(spec['rules']).toHaveLength(1);
    expect(metadata.annotations).toEqual({});
    expect(prometheus!.queries).toContain(
      'sum by (code) (increase(gateway_requests_total{service="orders-green"}[1s]))',
    );
  });

  it('reverts when the error rate exceeds 5 %, in one write', async () => {
    prometheus!.answer = () => [
      { metric: { code: '200' }, value: 80 },
      { metric: { code: '503' }, value: 20 },
    ];
    const { code } = await cluster.svc('canary', '--version', 'v2', ...quick);
    expect(code).toBe(3);
    expect([...new Set(weights())]).toEqual(['100/0', '90/10']);
    expect(weights().at(-1)).toBe('100/0');
  });

  it('does not report a revert while the gateway uses the old weights', async () => {
    prometheus!.answer = () => {
      cluster.api.gatewayIsDown = true;
      return [{ metric: { code: '503' }, value: 100 }];
    };
    const { code, out } = await cluster.svc('canary', '--version', 'v2', ...quick, '--lost-time', '700ms');
    expect({ code, out }).toEqual({
      code: 6,
      out: expect.stringContaining('The gateway has not accepted HTTPRoute orders.') as string,
    });
    cluster.api.gatewayIsDown = false;
    expect((await cluster.svc('rollback')).code).toBe(0);
    expect(weights().at(-1)).toBe('100/0');
  });

  it('treats a missing metric as no data', async () => {
    expect((await cluster.svc('canary', '--version', 'v2', ...quick)).code).toBe(4);
    expect(weights().at(-1)).toBe('100/0');
  });

  it('reports a missing label of the metric, and gives the old version all traffic', async () => {
    prometheus!.answer = () => [{ metric: {}, value: 100 }];
    const { code, error } = await cluster.svc('canary', '--version', 'v2', ...quick);
    expect({ code, error }).toEqual({
      code: 2,
      error: `The metric ${requests} has no label code. Set prometheus.statusLabel.`,
    });
    expect(weights().at(-1)).toBe('100/0');
  });

  it('retries temporary failures, and applies its change to concurrent changes of other clients', async () => {
    prometheus!.answer = ok;
    cluster.api.failures.push(503, 500);
    expect((await cluster.svc('status')).code).toBe(6);
    cluster.api.failures.length = 0;
    const running = cluster.svc('canary', '--version', 'v2', ...quick, '--stage-time', '300ms');
    const stale = cluster.object('httproutes/orders');
    cluster.api.objects.set('httproutes/orders', {
      ...stale,
      metadata: { ...stale.metadata, resourceVersion: '77', annotations: { owner: 'shop' } },
    });
    expect((await running).code).toBe(0);
    expect(cluster.object('httproutes/orders').metadata.annotations).toEqual({ owner: 'shop' });
  });
});

describe('blue-green in a cluster', () => {
  it('switches the selector of the front service, scales the old environment down, and switches back', async () => {
    cluster = await Cluster.start('blue-green', { instances: 3 });
    const { code } = await cluster.svc('blue-green', '--version', 'v2', '--poll', '10ms');
    expect(code).toBe(0);
    expect(cluster.api.writes).toEqual([
      'PATCH deployments/orders-blue',
      'PATCH deployments/orders-green',
      'PATCH services/orders',
      'PATCH deployments/orders-green',
      'PATCH deployments/orders-blue/scale',
    ]);
    const annotations = (environment: string): unknown =>
      cluster.object(`deployments/orders-${environment}`).metadata['annotations'];
    expect(annotations('green')).toMatchObject({ 'svc.deploy/served': 'v2' });
    expect(cluster.object('services/orders').spec['selector']).toEqual({
      'app.kubernetes.io/name': 'orders',
      'svc.deploy/environment': 'green',
    });
    expect(cluster.object('deployments/orders-blue').spec['replicas']).toBe(1);
    const { out } = await cluster.svc('status');
    expect(out).toMatch(/^blue +0 % +v1 /m);
    expect(out).toMatch(/^green +100 % +v2 /m);
    expect((await cluster.svc('rollback', '--poll', '10ms')).out).toContain('blue has all traffic again.');
    expect(cluster.api.writes.slice(5, 7)).toEqual(['PATCH services/orders', 'PATCH deployments/orders-blue/scale']);
    expect(cluster.object('deployments/orders-blue').spec['replicas']).toBe(3);
    expect(annotations('green')).not.toHaveProperty('svc.deploy/served');
    expect((await cluster.svc('rollback')).error).toContain('green has v2 that was reverted');
  });
});

describe('rolling in a cluster', () => {
  const firstRevision = (template: unknown): Kubernetes => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: 'orders-1',
      annotations: { 'deployment.kubernetes.io/revision': '1' },
      ownerReferences: [{ uid: 'deployments/orders' }],
    },
    spec: { template },
  });

  it('sets 10 replicas, at most 1 unavailable and at most 2 extra, follows the rollout, and restores a named revision completely', async () => {
    cluster = await Cluster.start('rolling');
    expect(cluster.object('deployments/orders').spec).toMatchObject({
      replicas: 10,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 2 } },
    });
    const { template } = cluster.object('deployments/orders').spec as { template: { metadata: { labels: object } } };
    const earlier = {
      ...template,
      metadata: {
        labels: { ...template.metadata.labels, 'pod-template-hash': 'abc' },
        annotations: { flavour: 'old' },
      },
    };
    cluster.api.replicaSets.push(firstRevision(earlier));
    const { code, out } = await cluster.svc('rolling', '--version', 'v2');
    expect(code).toBe(0);
    expect(out).toContain('10 of 10 new, 10 available, 10 in total');
    expect(imageOf(cluster.object('deployments/orders'))).toBe('registry.example/orders:v2');
    expect((await cluster.svc('rollback', '--revision', '1')).out).toContain('Rolled back to revision 1 (v1).');
    expect(cluster.object('deployments/orders').spec['template']).toEqual({
      ...template,
      metadata: { labels: template.metadata.labels, annotations: { flavour: 'old' } },
    });
    expect(cluster.api.writes).toEqual(['PATCH deployments/orders', 'PATCH deployments/orders']);
  });

  it('reports a stuck rollout, and does not confuse it with a stuck rollback', async () => {
    cluster = await Cluster.start('rolling');
    await cluster.svc('status');
    const { template } = structuredClone(cluster.object('deployments/orders').spec);
    expect(await cluster.svc('rolling', '--version', 'broken')).toMatchObject({
      code: 1,
      error: 'The rollout of orders is stuck: Timed out. To revert it, run svc deploy rollback.',
    });
    cluster.api.replicaSets.push(firstRevision(template));
    expect(await cluster.svc('rollback', '--revision', '1')).toMatchObject({ code: 0, error: '' });
  });
});

describe('recreate in a cluster', () => {
  it('rejects a service marked critical, and changes the strategy if forced', async () => {
    cluster = await Cluster.start('rolling', { critical: true });
    expect((await cluster.svc('recreate', '--version', 'v2')).error).toContain('marked critical');
    expect(cluster.api.writes).toEqual([]);
    expect((await cluster.svc('recreate', '--version', 'v2', '--even-if-critical')).code).toBe(0);
    expect(cluster.object('deployments/orders').spec['strategy']).toEqual({ type: 'Recreate' });
  });
});

describe('two deployers of one cluster', () => {
  const elsewhere = (seen: Date): string =>
    JSON.stringify({
      id: 'theirs',
      what: 'canary',
      controller: { host: 'elsewhere', pid: 7 },
      seen: seen.toISOString(),
    });
  const claims = (): unknown[] =>
    cluster.api.calls
      .filter(({ method }) => method === 'PATCH')
      .flatMap(({ body }) => {
        const { annotations } = (body as Kubernetes).metadata ?? {};
        return annotations !== undefined && 'svc.deploy/claim' in annotations ? [annotations['svc.deploy/claim']] : [];
      });
  const annotate = (text: string): void => {
    const deployment = cluster.object('deployments/orders-blue');
    const annotations = { ...deployment.metadata.annotations, 'svc.deploy/claim': text };
    cluster.api.objects.set('deployments/orders-blue', {
      ...deployment,
      metadata: { ...deployment.metadata, annotations },
    });
  };

  it('exclude each other by an annotation of the Deployment, which is removed at the end and expires after its holder', async () => {
    cluster = await Cluster.start('blue-green', { instances: 3 });
    annotate(elsewhere(new Date()));
    for (const args of [
      ['blue-green', '--version', 'v2'],
      ['install', '--environment', 'green', '--version', 'v2'],
      ['scale', '--environment', 'green', '--instances', '1'],
    ]) {
      expect((await cluster.svc(...args)).error).toContain(
        'Another change of this service is running (canary) by elsewhere.',
      );
    }
    expect(claims()).toEqual([]);
    annotate(elsewhere(new Date(Date.now() - 100_000)));
    expect((await cluster.svc('scale', '--environment', 'green', '--instances', '1')).code).toBe(0);
    expect(claims()).toEqual([expect.stringContaining('"what":"scale"'), null]);
    expect(cluster.api.writes).toEqual(['PATCH deployments/orders-green/scale']);
  });

  it('that claim it concurrently get one winner from the server', async () => {
    cluster = await Cluster.start('blue-green', { instances: 3 });
    const { kubernetes, header } = cluster.config;
    const platform = kubernetesPlatform({ service: 'orders', critical: false, settings: kubernetes!, header });
    const claim = (id: string): RolloutClaim => ({ ...(JSON.parse(elsewhere(new Date())) as RolloutClaim), id });
    const claimed = await Promise.all(['a', 'b', 'c'].map((id) => platform.replaceClaim(null, claim(id))));
    expect(claimed.filter(Boolean)).toHaveLength(1);
  });

  it('install nothing into an environment with traffic, unless the version is already there', async () => {
    cluster = await Cluster.start('blue-green', { instances: 3 });
    expect(await cluster.svc('install', '--environment', 'blue', '--version', 'v2')).toMatchObject({
      code: 1,
      error: 'blue has 100 % of the traffic. Install into the idle environment.',
    });
    expect(cluster.api.writes).toEqual([]);
    expect((await cluster.svc('install', '--environment', 'blue', '--version', 'v1')).code).toBe(0);
  });
});

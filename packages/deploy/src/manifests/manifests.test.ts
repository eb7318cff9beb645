import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IVolume } from 'kubernetes-models/v1/Volume';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { deployConfig } from '../config/deploy-config.js';
import { dockerfile, drainTiming, render, requireValid, serviceManifests, strategies, type Manifest } from './index.js';

const config = deployConfig(
  {
    service: 'orders',
    kubernetes: {
      image: 'registry.example/orders',
      namespace: 'shop',
      hostname: 'orders.example',
      env: { LOG_LEVEL: 'info', DATABASE_URL: { secret: 'orders-app', key: 'uri' } },
      envFrom: [{ secret: 'orders' }, { configMap: 'orders' }],
      files: [
        { configMap: 'orders-flags', path: '/etc/orders' },
        { secret: 'orders-tls', path: '/etc/tls' },
      ],
    },
  },
  '/srv',
);
const manifestsOf = (strategy: (typeof strategies)[number]): readonly Manifest[] =>
  serviceManifests(config, { strategy, version: 'v1' });
const names = (manifests: readonly Manifest[]): string[] =>
  manifests.map(({ kind, metadata }) => `${kind} ${String(metadata?.name)}`);

interface Pod {
  spec: {
    template: {
      spec: {
        terminationGracePeriodSeconds: number;
        securityContext: object;
        containers: IContainer[];
        volumes: IVolume[];
      };
    };
  };
}
const podOf = (manifest: Manifest | undefined): Pod['spec']['template']['spec'] =>
  (manifest as unknown as Pod).spec.template.spec;

describe('manifests', () => {
  it('contain the objects that each strategy uses', () => {
    expect(names(manifestsOf('rolling'))).toEqual([
      'Deployment orders',
      'Service orders',
      'PodDisruptionBudget orders',
    ]);
    expect(names(manifestsOf('blue-green'))).toContain('Service orders');
    expect(names(manifestsOf('canary'))).toEqual(
      expect.arrayContaining([
        'HTTPRoute orders',
        'Service orders-blue',
        'Service orders-green',
        'Deployment orders-green',
      ]),
    );
    expect(manifestsOf('recreate')[0]).toMatchObject({ spec: { strategy: { type: 'Recreate' } } });
  });

  it.each(strategies)('of %s survive a round trip through YAML and are valid', (strategy) => {
    const manifests = manifestsOf(strategy);
    const read = parseAllDocuments(render(manifests)).map((document) => document.toJS() as Manifest);
    expect(read).toEqual(manifests);
    for (const manifest of read) requireValid(manifest);
  });

  it('gate traffic on readiness and restarts on liveness', () => {
    const [container] = podOf(manifestsOf('rolling')[0]).containers;
    expect(container?.readinessProbe?.httpGet?.path).toBe('/health/ready');
    expect(container?.livenessProbe?.httpGet?.path).toBe('/health/live');
  });

  it('give a pod more time to end than it needs to drain', () => {
    const { terminationGracePeriodSeconds, containers } = podOf(manifestsOf('rolling')[0]);
    const { preStopSeconds, noticeSeconds, limitSeconds } = drainTiming;
    expect(terminationGracePeriodSeconds).toBeGreaterThan(preStopSeconds + limitSeconds);
    expect(limitSeconds).toBeGreaterThan(noticeSeconds);
    expect(containers[0]?.lifecycle?.preStop?.exec?.command?.at(-1)).toContain(`${preStopSeconds * 1000}`);
    expect(containers[0]?.env).toContainEqual({ name: 'DRAIN_NOTICE_MS', value: `${noticeSeconds * 1000}` });
  });

  it('give containers the variables and files of deploy.json, without the values of secrets', () => {
    const { containers, volumes } = podOf(manifestsOf('rolling')[0]);
    expect(containers[0]).toMatchObject({
      env: expect.arrayContaining([
        { name: 'LOG_LEVEL', value: 'info' },
        { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'orders-app', key: 'uri' } } },
      ]) as unknown,
      envFrom: [{ secretRef: { name: 'orders' } }, { configMapRef: { name: 'orders' } }],
      volumeMounts: [
        { name: 'tmp', mountPath: '/tmp' },
        { name: 'files-1', mountPath: '/etc/orders', readOnly: true },
        { name: 'files-2', mountPath: '/etc/tls', readOnly: true },
      ],
    });
    expect(volumes.slice(1)).toEqual([
      { name: 'files-1', configMap: { name: 'orders-flags' } },
      { name: 'files-2', secret: { secretName: 'orders-tls', defaultMode: 0o440 } },
    ]);
  });

  it('tell each pod its environment if there are two', () => {
    const environmentsOf = (strategy: (typeof strategies)[number]): unknown[] =>
      manifestsOf(strategy)
        .filter(({ kind }) => kind === 'Deployment')
        .map((manifest) => podOf(manifest).containers[0]?.env?.find(({ name }) => name === 'SVC_ENVIRONMENT')?.value);
    expect(environmentsOf('canary')).toEqual(['blue', 'green']);
    expect(environmentsOf('blue-green')).toEqual(['blue', 'green']);
    expect(environmentsOf('rolling')).toEqual([undefined]);
  });

  it('run as an unprivileged user on a read-only file system', () => {
    const { securityContext, containers } = podOf(manifestsOf('rolling')[0]);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(containers[0]?.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(containers[0]?.resources?.requests).toBeDefined();
    expect(dockerfile()).not.toContain('.svc');
    expect(dockerfile({ sqlite: true })).toMatch(
      /^RUN mkdir \.svc && chown node:node \.svc\n[^]*^USER 1000:1000\n[^]*^VOLUME \/service\/\.svc$/m,
    );
    expect(dockerfile()).toMatch(/^FROM .* AS build$[^]*^FROM [^]*^USER 1000:1000$/m);
  });

  const [deployment, service] = manifestsOf('rolling');
  const container = podOf(deployment).containers[0]!;
  const withContainer = (changes: object): Manifest => {
    const changed = structuredClone(deployment!);
    Object.assign(podOf(changed).containers[0]!, changes);
    return changed;
  };
  it.each([
    [{ ...deployment!, specs: {} } as unknown as Manifest, 'has an unknown field: specs'],
    [withContainer({ readynessProbe: {} }), 'has an unknown field: spec.template.spec.containers[0].readynessProbe'],
    [withContainer({ readinessProbe: { httpGet: { pth: '/' } } }), 'readinessProbe.httpGet.pth'],
    [withContainer({ image: 7 }), 'containers/0/image must be string'],
    [{ ...service!, spec: { ports: 'http' } } as unknown as Manifest, 'is not valid'],
    [{ ...service!, kind: 'Servise' } as unknown as Manifest, 'Unknown object type v1 Servise'],
    [
      {
        ...manifestsOf('canary').at(-1)!,
        spec: { rules: [{ backendRefs: [{ name: 'a', wait: 1 }] }] },
      } as unknown as Manifest,
      'has an unknown field: spec.rules[0].backendRefs[0].wait',
    ],
  ])('reject what the cluster would drop or reject (%#)', (manifest, message) => {
    expect(() => requireValid(manifest)).toThrow(message);
  });

  it('reject a misspelled field at compile time', () => {
    // @ts-expect-error -- readynessProbe is no field of a container
    const misspelt: IContainer = { name: container.name, readynessProbe: {} };
    expect(misspelt.name).toBe('orders');
  });
});

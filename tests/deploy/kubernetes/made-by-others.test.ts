/** Objects that svc did not create: Deployments and the kubeconfig. */
import { writeFileSync } from 'node:fs';
import { kubernetesPlatform } from '@svc/deploy/kubernetes';
import { afterEach, describe, expect, it } from 'vitest';
import { Cluster } from './cluster.js';

let cluster: Cluster;
afterEach(() => cluster.stop());

describe('a Deployment changed by other tools', () => {
  const container = (): { name: string; image: string } => {
    const { spec } = cluster.object('deployments/orders').spec['template'] as {
      spec: { containers: [{ name: string; image: string }] };
    };
    return spec.containers[0];
  };

  it('does not get a second container when the container of the service has another name', async () => {
    cluster = await Cluster.start('rolling');
    container().name = 'app';
    expect(await cluster.svc('rolling', '--version', 'v2')).toMatchObject({
      code: 1,
      error: expect.stringContaining(
        'Deployment orders has no container "orders". It has app. Set container in deploy.json.',
      ) as unknown,
    });
    expect(cluster.api.writes).toEqual([]);
  });

  it('has the version of its tag, also when its image has a digest', async () => {
    cluster = await Cluster.start('rolling');
    container().image += '@sha256:0123456789abcdef';
    expect((await cluster.svc('status')).out).toMatch(/ v1 /);
    container().image = 'registry.example:5000/orders@sha256:0123456789abcdef';
    expect((await cluster.svc('status')).out).not.toContain('0123456789abcdef');
  });
});

it('reports a missing context of the kubeconfig, or that none is set', async () => {
  cluster = await Cluster.start('rolling');
  const { kubernetes: settings, header } = cluster.config;
  const connect = (context?: string): unknown =>
    kubernetesPlatform({
      service: 'orders',
      critical: false,
      settings: { ...settings!, ...(context === undefined ? {} : { context }) },
      header,
    });
  expect(() => connect('gone')).toThrow('Cannot use the kubeconfig: it has no context "gone"');
  expect(() => connect('test')).not.toThrow();
  writeFileSync(settings!.kubeconfig!, JSON.stringify({ apiVersion: 'v1', kind: 'Config' }));
  expect(() => connect()).toThrow('Cannot use the kubeconfig: it has no current context');
});

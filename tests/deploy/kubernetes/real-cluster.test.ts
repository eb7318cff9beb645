/** The same with a real API server: SVC_TEST_KUBECONFIG=<file> npm test -- real-cluster. It creates and deletes a namespace. */
import { CoreV1Api, KubeConfig, KubernetesObjectApi } from '@kubernetes/client-node';
import { deployConfig, type DeployConfig } from '@svc/deploy';
import { kubernetesPlatform } from '@svc/deploy/kubernetes';
import { serviceManifests } from '@svc/deploy/manifests';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const kubeconfig = process.env['SVC_TEST_KUBECONFIG'];
const namespace = `svc-test-${process.pid}`;

describe.skipIf(kubeconfig === undefined)('a real API server', () => {
  let config: DeployConfig;
  const client = new KubeConfig();
  const core = (): CoreV1Api => client.makeApiClient(CoreV1Api);

  beforeAll(async () => {
    client.loadFromFile(kubeconfig!);
    config = deployConfig(
      {
        service: 'orders',
        critical: false,
        instances: 2,
        kubernetes: { namespace, kubeconfig, image: 'registry.example/orders' },
      },
      '.',
    );
    await core().createNamespace({ body: { metadata: { name: namespace } } });
    const objects = KubernetesObjectApi.makeApiClient(client);
    for (const manifest of serviceManifests(config, { strategy: 'blue-green', version: 'v1' })) {
      await objects.create(manifest as never, undefined, undefined, 'svc-test', 'Strict' as never);
    }
  });
  afterAll(async () => {
    if (kubeconfig !== undefined) await core().deleteNamespace({ name: namespace });
  });

  const platform = (): ReturnType<typeof kubernetesPlatform> =>
    kubernetesPlatform({ service: 'orders', critical: false, settings: config.kubernetes!, header: 'x-svc-version' });

  it('accepts the manifests in strict mode, and switches the front service and back', async () => {
    expect(await platform().front()).toBe('blue');
    await platform().switchFront('green');
    expect(await platform().front()).toBe('green');
    await platform().switchFront('blue');
    expect(await platform().front()).toBe('blue');
  });

  it('installs a version, scales, and lists revisions', async () => {
    await platform().install('green', 'v2', 1);
    expect(await platform().status('green')).toMatchObject({ version: 'v2', wanted: 1 });
    await platform().scale('green', 0);
    expect(await platform().status('green')).toMatchObject({ wanted: 0 });
    expect((await platform().revisions()).length).toBeGreaterThan(0);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@svc/cli';
import { deployConfig, type DeployConfig } from '@svc/deploy';
import { serviceManifests, type Strategy } from '@svc/deploy/manifests';
import { EmulatedApi } from './emulated-api.js';
import type { Kubernetes } from './rollout.js';

const plurals: Readonly<Record<string, string>> = {
  Deployment: 'deployments',
  Service: 'services',
  PodDisruptionBudget: 'poddisruptionbudgets',
  HTTPRoute: 'httproutes',
};

/** A cluster in which the manifests of a strategy were applied. */
export class Cluster {
  readonly api: EmulatedApi;
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-kubernetes-'));
  readonly config: DeployConfig;

  private constructor(api: EmulatedApi, more: object) {
    this.api = api;
    const kubeconfig = join(this.folder, 'kubeconfig');
    writeFileSync(kubeconfig, kubeconfigFor(api.url));
    const settings = {
      service: 'orders',
      critical: false,
      ...more,
      kubernetes: { namespace: 'shop', image: 'registry.example/orders', kubeconfig, pollMs: 10, acceptMs: 20 },
    };
    writeFileSync(join(this.folder, 'deploy.json'), JSON.stringify(settings));
    this.config = deployConfig(settings, this.folder);
  }

  static async start(strategy: Strategy, more: object = {}): Promise<Cluster> {
    const cluster = new Cluster(await EmulatedApi.start(), more);
    for (const manifest of serviceManifests(cluster.config, { strategy, version: 'v1' })) {
      const object = manifest as unknown as Kubernetes;
      cluster.api.add(`${plurals[object.kind]}/${String(object.metadata['name'])}`, object);
    }
    return cluster;
  }

  object(path: string): Kubernetes {
    return this.api.objects.get(path)!;
  }

  async svc(...args: string[]): Promise<{ code: number; out: string; error: string }> {
    const lines = { out: [] as string[], error: [] as string[] };
    const code = await run(['deploy', ...args, '--config', join(this.folder, 'deploy.json')], {
      out: (line) => lines.out.push(line),
      error: (line) => lines.error.push(line),
    });
    return { code, out: lines.out.join('\n'), error: lines.error.join('\n') };
  }

  async stop(): Promise<void> {
    await this.api.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function kubeconfigFor(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'test', user: {} }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  });
}

/**
 * The Dockerfile's container with examples/orders in it, in a pod of the manifests, as far as it goes without building: `npm run check:image` carries out every step
 * of the Dockerfile.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deployConfig } from '@svc/deploy';
import { dockerfile, serviceManifests } from '@svc/deploy/manifests';
import { newApiKey } from '@svc/fastify';
import type { IContainer } from 'kubernetes-models/v1/Container';
import { expect, it } from 'vitest';
import { containerOf, readDockerfile } from '../../tools/image/dockerfile.mjs';
import { Guide } from '../guides/guide.js';
import { createDatabase } from '../postgres/test-database.js';
import { freePorts } from './ports.js';
import { waitFor } from './wait-for.js';

const orders = fileURLToPath(new URL('../../examples/orders/', import.meta.url));

it('starts with the entry point of the image and the environment of the pods in the guide, becomes ready, and ends by SIGTERM', async () => {
  const { entrypoint, environment, user, workdir } = containerOf(readDockerfile(dockerfile()));
  expect({ user, workdir, program: entrypoint[0], script: entrypoint.at(-1) }).toEqual({
    user: { uid: 1000, gid: 1000 },
    workdir: '/service',
    program: 'node',
    script: 'dist/main.js',
  });
  const [port] = await freePorts(1);
  const database = await createDatabase();
  const scraper = newApiKey();
  const key = { sha256: scraper.sha256, scope: { userId: 'scraper' }, permissions: ['metrics:read'] };
  const pod = podEnvironment({
    'orders-app': { uri: database.url },
    orders: { API_KEYS: JSON.stringify([key]) },
  });
  // 127.1 is this machine alone as well, and not known as such: like 0.0.0.0, it is refused unless callers show who they are.
  const here = { HOST: '127.1', PORT: String(port), DRAIN_NOTICE_MS: '10' };
  const container = spawn(process.execPath, entrypoint.slice(1), {
    cwd: orders,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...environment, ...pod, ...here },
  });
  const ended = once(container, 'exit');
  const ask = (path: string, init?: RequestInit): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`, init);
  try {
    const ready = async (): Promise<boolean> =>
      container.exitCode !== null || (await ask('/health/ready')).status === 200;
    await waitFor(ready, 'ready', 30_000);
    expect((await ask('/orders', { method: 'POST' })).status).toBe(401);
    const metrics = await ask('/metrics', { headers: { 'x-api-key': scraper.key } });
    expect(await metrics.text()).toContain('environment="blue"');
    container.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    container.kill('SIGKILL');
    await database.remove();
  }
}, 60_000);

it('builds and starts what a service has that was made after the guide', () => {
  const { files } = new Guide('own-service.md');
  const [, script = ''] = /^RUN npm run (\w+)/m.exec(dockerfile()) ?? [];
  const { scripts } = JSON.parse(files['package.json']!) as { scripts: Record<string, string> };
  expect(scripts[script]).toBe('svc generate && tsc -p .');
  const { rootDir, outDir } = (JSON.parse(files['tsconfig.json']!) as { compilerOptions: Record<string, string> })
    .compilerOptions;
  expect(Object.keys(files)).toContain(`${rootDir}/main.ts`);
  expect(containerOf(readDockerfile(dockerfile())).entrypoint.at(-1)).toBe(`${outDir}/main.js`);
});

/** The variables of a pod of blue, by the manifests of the guide's configuration, with what the Secrets hold. */
function podEnvironment(secrets: Readonly<Record<string, Readonly<Record<string, string>>>>): Record<string, string> {
  const guide = readFileSync(new URL('../../docs/guides/deployment.md', import.meta.url), 'utf8');
  const [, sample = ''] = /^### In a cluster$.*?^```json\n(.*?)^```$/ms.exec(guide) ?? [];
  const [blue] = serviceManifests(deployConfig(JSON.parse(sample), '/srv'), { strategy: 'canary', version: 'v1' });
  const { spec } = (blue as unknown as { spec: { template: { spec: { containers: IContainer[] } } } }).spec.template;
  const { env = [], envFrom = [], volumeMounts = [] } = spec.containers[0]!;
  // The files of examples/orders stand for those of the ConfigMap.
  const folder = volumeMounts.find(({ readOnly }) => readOnly)!.mountPath;
  const variables = env.map(({ name, value, valueFrom }) => {
    const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
    return [name, (value ?? secrets[secret]![key]!).replace(`${folder}/`, orders)] as const;
  });
  return Object.assign(
    {},
    ...envFrom.map(({ secretRef }) => secrets[secretRef!.name!]),
    Object.fromEntries(variables),
  ) as Record<string, string>;
}

it('knows what it cannot carry out by hand', () => {
  expect(() => readDockerfile('FROM node\nHEALTHCHECK CMD true')).toThrow('This Dockerfile has HEALTHCHECK');
});

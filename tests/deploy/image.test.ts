/**
 * The Dockerfile's container with examples/orders in it, in a pod of the manifests, as far as it goes without building: `npm run check:image` carries out every step
 * of the Dockerfile.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deployConfig } from '@svc/deploy';
import { dockerfile, serviceManifests } from '@svc/deploy/manifests';
import { newApiKey } from '@svc/fastify';
import type { IContainer } from 'kubernetes-models/v1/Container';
import { expect, it } from 'vitest';
import { containerOf, readDockerfile } from '../../tools/image/dockerfile.mjs';
import { freePorts } from '../../tools/ports/index.mjs';
import { Guide } from '../documentation/guides/guide.js';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { remoteAddress, selfSigned } from '../tls/self-signed.js';
import { waitFor } from './wait-for.js';

const orders = fileURLToPath(new URL('../../examples/orders/', import.meta.url));

it('starts with the entry point of the image and the environment of the pods in the guide, becomes ready, and stops on SIGTERM', async () => {
  const { entrypoint, environment, user, workdir } = containerOf(readDockerfile(dockerfile()));
  expect({ user, workdir, program: entrypoint[0], script: entrypoint.at(-1) }).toEqual({
    user: { uid: 1000, gid: 1000 },
    workdir: '/service',
    program: 'node',
    script: 'dist/main.js',
  });
  const [port] = await freePorts(1);
  // The database of the guide: remote, where this machine has an address for it, with a certificate of a private authority.
  const server = remoteAddress() ?? '127.0.0.1';
  const { certificate, key: serverKey } = selfSigned(server);
  const authority = mkdtempSync(join(tmpdir(), 'svc-authority-'));
  writeFileSync(join(authority, 'ca.crt'), certificate);
  const database = await createCluster(
    {
      fsync: 'off',
      listen_addresses: [...new Set(['127.0.0.1', server])].join(','),
      ssl: 'on',
      ssl_cert_file: 'server.crt',
      ssl_key_file: 'server.key',
    },
    {
      files: { 'server.crt': certificate, 'server.key': serverKey },
      access: [`hostssl all all ${server}/32 scram-sha-256`],
    },
  );
  const scraper = newApiKey();
  const key = { sha256: scraper.sha256, scope: { userId: 'scraper' }, permissions: ['metrics:read'] };
  const secrets = {
    'orders-app': { uri: database.url.replace('127.0.0.1', server) },
    orders: { API_KEYS: JSON.stringify([key]), KEY_VAULT: `k1:${randomBytes(32).toString('base64')}` },
  };
  // The files of examples/orders and of this test stand for those of the ConfigMaps.
  const pod = podEnvironment(secrets, { '/etc/orders': orders, '/etc/orders-ca': authority });
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
    rmSync(authority, { recursive: true });
  }
}, 60_000);

it('builds and starts a service created by the guide', () => {
  const { files } = new Guide('own-service.md');
  const [, script = ''] = /^RUN npm run (\w+)/m.exec(dockerfile()) ?? [];
  const { scripts } = JSON.parse(files['package.json']!) as { scripts: Record<string, string> };
  expect(scripts[script]).toBe('svc generate && tsc -p .');
  const { rootDir, outDir } = (JSON.parse(files['tsconfig.json']!) as { compilerOptions: Record<string, string> })
    .compilerOptions;
  expect(Object.keys(files)).toContain(`${rootDir}/main.ts`);
  expect(containerOf(readDockerfile(dockerfile())).entrypoint.at(-1)).toBe(`${outDir}/main.js`);
});

/** The variables of a pod of blue, by the manifests of the guide's configuration, with what the Secrets hold and the folders that files are in. */
function podEnvironment(
  secrets: Readonly<Record<string, Readonly<Record<string, string>>>>,
  folders: Readonly<Record<string, string>>,
): Record<string, string> {
  const guide = readFileSync(new URL('../../docs/guides/deployment.md', import.meta.url), 'utf8');
  const [, sample = ''] = /^### In a cluster$.*?^```json\n(.*?)^```$/ms.exec(guide) ?? [];
  const [blue] = serviceManifests(deployConfig(JSON.parse(sample), '/srv'), { strategy: 'canary', version: 'v1' });
  const { spec } = (blue as unknown as { spec: { template: { spec: { containers: IContainer[] } } } }).spec.template;
  const { env = [], envFrom = [], volumeMounts = [] } = spec.containers[0]!;
  const mounts = volumeMounts.filter(({ readOnly }) => readOnly).map(({ mountPath }) => mountPath);
  expect(mounts).toEqual(Object.keys(folders));
  const variables = env.map(({ name, value, valueFrom }) => {
    const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
    const text = value ?? secrets[secret]![key]!;
    return [name, mounts.reduce((path, mount) => path.replace(`${mount}/`, `${folders[mount]!}/`), text)] as const;
  });
  return Object.assign(
    {},
    ...envFrom.map(({ secretRef }) => secrets[secretRef!.name!]),
    Object.fromEntries(variables),
  ) as Record<string, string>;
}

it('rejects instructions that it cannot execute', () => {
  expect(() => readDockerfile('FROM node\nHEALTHCHECK CMD true')).toThrow('Unknown instruction HEALTHCHECK');
});

/** A server with a certificate of its own, under an address of this machine that counts as remote. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newId } from '@svc/core';
import { collect, commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres, type PostgresOptions } from '@svc/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../tools/postgres/cluster.mjs';
import { svc } from '../operations/processes.js';
import { remoteAddress, selfSigned, type SelfSigned } from '../tls/self-signed.js';

const address = remoteAddress();
const command = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url));

describe.skipIf(address === null)('a remote server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'));
  const authority = join(folder, 'authority.pem');
  let own: SelfSigned;
  let cluster: Cluster;
  /** The server under the address that counts as remote. */
  let remote: string;
  beforeAll(async () => {
    own = selfSigned(address!, 'localhost');
    writeFileSync(authority, own.certificate);
    cluster = await createCluster(
      {
        fsync: 'off',
        listen_addresses: `127.0.0.1,${address!}`,
        ssl: 'on',
        ssl_cert_file: 'server.crt',
        ssl_key_file: 'server.key',
      },
      {
        files: { 'server.crt': own.certificate, 'server.key': own.key },
        access: [`host all all ${address!}/32 scram-sha-256`],
      },
    );
    remote = cluster.url.replace('127.0.0.1', address!);
  });
  afterAll(async () => {
    await cluster?.remove();
    rmSync(folder, { recursive: true });
  });

  /** Whether the connections of a storage that is used are encrypted, as the server sees it. */
  async function usesTls(options: PostgresOptions): Promise<boolean> {
    const storage = postgres(options);
    try {
      const streamId = newId();
      await storage.commit(commitRecord({ events: [pendingRecord(streamId)] }));
      expect(await collect(storage.readStream(streamId))).toHaveLength(1);
      const seen = await statistics(options.applicationName!);
      expect(seen.length).toBeGreaterThan(1);
      expect(new Set(seen).size).toBe(1);
      return seen[0]!;
    } finally {
      await storage.close();
    }
  }

  async function statistics(applicationName: string): Promise<boolean[]> {
    const { default: pg } = await import('pg');
    const client = new pg.Client(cluster.url);
    await client.connect();
    try {
      const { rows } = await client.query<{ ssl: boolean }>(
        'SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = $1',
        [applicationName],
      );
      return rows.map(({ ssl }) => ssl);
    } finally {
      await client.end();
    }
  }

  it.each(['require', 'verify-ca', 'verify-full'])(
    'is reached over TLS with sslmode=%s and the authority of its certificate',
    async (mode) => {
      const url = `${remote}?sslmode=${mode}&sslrootcert=${authority}`;
      expect(await usesTls({ url, applicationName: mode })).toBe(true);
    },
  );

  it('is reached over TLS with the option ssl', async () => {
    const options = { url: remote, ssl: { ca: own.certificate }, applicationName: 'by option' };
    expect(await usesTls(options)).toBe(true);
  });

  it.each(['require', 'verify-full'])('is not trusted with sslmode=%s without that authority', async (mode) => {
    const storage = postgres({ url: `${remote}?sslmode=${mode}` });
    await expect(storage.open()).rejects.toMatchObject({
      code: 'SVC_STORAGE_UNAVAILABLE',
      cause: expect.objectContaining({
        message: expect.stringContaining('self-signed certificate') as string,
      }) as Error,
    });
    await storage.close();
  });

  it('is not trusted under a name that its certificate does not have', async () => {
    const other = selfSigned('db.example');
    const imposter = await createCluster(
      { listen_addresses: `127.0.0.1,${address!}`, ssl: 'on', ssl_cert_file: 'server.crt', ssl_key_file: 'server.key' },
      { files: { 'server.crt': other.certificate, 'server.key': other.key } },
    );
    try {
      const url = imposter.url.replace('127.0.0.1', address!);
      const storage = postgres({ url, ssl: { ca: other.certificate } });
      await expect(storage.open()).rejects.toMatchObject({
        cause: expect.objectContaining({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }) as Error,
      });
      await storage.close();
    } finally {
      await imposter.remove();
    }
  });

  it('is reached without TLS only if that is allowed', async () => {
    for (const url of [remote, `${remote}?sslmode=disable`, `${remote}?sslmode=prefer`])
      expect(() => postgres({ url })).toThrow(expect.objectContaining({ code: 'SVC_PLAINTEXT_REFUSED' }));
    expect(await usesTls({ url: remote, allowPlaintext: true, applicationName: 'allowed' })).toBe(false);
  });

  it('without TLS is not reached with a mode that requires it', async () => {
    const plain = await createCluster();
    try {
      const storage = postgres({ url: `${plain.url}?sslmode=require` });
      await expect(storage.open()).rejects.toMatchObject({
        cause: expect.objectContaining({ message: 'The server does not support SSL connections' }) as Error,
      });
      await storage.close();
    } finally {
      await plain.remove();
    }
  });

  describe('of the svc command', () => {
    it('is rejected without TLS, with both remedies and no password', async () => {
      const { code, error } = await svc('migrate', 'status', '--database', remote);
      expect([code, error]).toEqual([
        2,
        expect.stringContaining(`Cannot connect to PostgreSQL at ${address!} without TLS`),
      ]);
      expect(error).toContain('add sslmode=verify-full to the URL');
      expect(error).toContain('--allow-plaintext');
      expect(error).not.toContain(new URL(remote).password);
    });

    it('is reached over TLS, or without it if that is allowed', async () => {
      const secured = `${remote}?sslmode=verify-full&sslrootcert=${authority}`;
      expect((await svc('migrate', 'status', '--database', secured)).error).toBe('');
      expect((await svc('migrate', 'status', '--database', remote, '--allow-plaintext')).error).toBe('');
    });

    it('is checked before a deployment in the same way', async () => {
      const config = join(folder, 'deploy.json');
      const haproxy = { socket: 'haproxy.sock', blue: ['127.0.0.1:3001'] };
      writeFileSync(config, JSON.stringify({ service: 'orders', haproxy, checks: { pre: { database: remote } } }));
      const rejected = await svc('deploy', 'check', '--pre', '--config', config);
      expect([rejected.code, rejected.out]).toEqual([1, expect.stringContaining('without TLS')]);
      expect(rejected.out).toContain('--allow-plaintext');
      const allowed = await svc('deploy', 'check', '--pre', '--config', config, '--allow-plaintext');
      expect(allowed.out).toMatch(/ok .* logged in to PostgreSQL at /m);
    });

    it('is configured by the environment as in the manifests of the deployment guide', () => {
      const run = (environment: Record<string, string>) =>
        spawnSync(process.execPath, [command, 'migrate', 'status'], {
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], DATABASE_URL: remote, ...environment },
        });
      const secured = run({ PGSSLMODE: 'verify-full', NODE_EXTRA_CA_CERTS: authority });
      expect([secured.status, secured.stderr]).toEqual([0, '']);
      const doubting = run({ PGSSLMODE: 'verify-full' });
      expect([doubting.status, doubting.stderr]).toEqual([6, expect.stringContaining('self-signed certificate')]);
      const allowed = run({ ALLOW_PLAINTEXT: 'yes' });
      expect([allowed.status, allowed.stderr]).toEqual([0, '']);
    });
  });
});

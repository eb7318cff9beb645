import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { newApiKey } from '@svc/fastify';
import { describe, expect, it } from 'vitest';
import { authenticationFrom } from './authentication.js';
import { order, SecuredOrders } from './testing/secured-orders.js';

describe('the environment', () => {
  it('configures no authentication when nothing is set', () => expect(authenticationFrom({})).toBeNull());

  it.each([
    ['two kinds of keys', { AUTH_SECRET: 'x'.repeat(32), AUTH_JWKS_URL: 'https://x.example/' }, 'not both'],
    [
      'keys without issuer and audience',
      { AUTH_JWKS_URL: 'https://x.example/' },
      'needs AUTH_ISSUER and AUTH_AUDIENCE',
    ],
    ['a short secret', { AUTH_SECRET: 'secret' }, 'The secret has 6 bytes; HS256 needs 32.'],
    ['API keys that are not JSON', { API_KEYS: 'my-key' }, 'API_KEYS is not valid JSON'],
  ])('is rejected with %s', (_name, environment, message) => {
    expect(() => authenticationFrom(environment)?.(() => Promise.resolve([]))).toThrow(message);
  });

  it('accepts API keys as well as tokens', async () => {
    const { key, sha256 } = newApiKey();
    const entry = { sha256, scope: { userId: 'bot', tenantId: 'acme' }, roles: ['clerk'] };
    const orders = await SecuredOrders.start({ API_KEYS: JSON.stringify([entry]) });
    expect((await orders.send('/orders', { 'x-api-key': key }, order)).status).toBe(200);
    expect((await orders.send('/orders', { 'x-api-key': 'other' }, order)).status).toBe(401);
    await orders.stop();
  });
});

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Runs the built program until it listens or ends. */
function run(environment: Record<string, string>): Promise<{ output: string; code: number | null }> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [main], { env: { PATH, PORT: '0', DRAIN_NOTICE_MS: '0', ...environment } });
  return new Promise((resolve) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('Orders is listening') && output.trimEnd().endsWith('.')) child.kill('SIGTERM');
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('close', (code) => resolve({ output, code }));
  });
}

/** Other machines can connect: it is no trial, and needs keys for personal data. */
const production = { HOST: '0.0.0.0', KEY_VAULT: `k1:${randomBytes(32).toString('base64')}` };

describe('the program', () => {
  it('reports that it is open, and to which callers', async () => {
    const { output, code } = await run({});
    expect(output).toContain('every caller on this machine may do everything. Other machines cannot connect.');
    expect(code).toBe(0);
  });

  it('does not accept other machines without authentication by mistake', async () => {
    const { output, code } = await run({ HOST: '0.0.0.0' });
    expect(output).toContain('No authentication is configured, but 0.0.0.0 accepts connections from other machines.');
    expect(code).toBe(1);
  });

  it('accepts other machines with authentication', async () => {
    const { output, code } = await run({ ...production, AUTH_SECRET: 'x'.repeat(32) });
    expect(output).toContain('Callers must authenticate.');
    expect(code).toBe(0);
  });

  it('accepts other machines without authentication if configured', async () => {
    const { output, code } = await run({ ...production, ALLOW_EVERYBODY: 'yes' });
    expect(output).toContain('as ALLOW_EVERYBODY allows: every caller that can connect to 0.0.0.0 may do everything.');
    expect(code).toBe(0);
  });

  it('does not create keys for personal data unless it is a trial', async () => {
    for (const variables of [{ HOST: '0.0.0.0', AUTH_SECRET: 'x'.repeat(32) }, { NODE_ENV: 'production' }]) {
      const { output, code } = await run(variables);
      expect(output).toContain('Cannot encrypt personal data: KEY_VAULT is not set.');
      expect(code).toBe(1);
    }
  });

  it.each([
    ['DATABASE_URL', 'postgres://me:hunter2@db.example/orders', 'PostgreSQL at db.example'],
    ['AMQP_URL', 'amqp://me:hunter2@mq.example', 'RabbitMQ at mq.example'],
  ])('does not connect to a remote server without TLS by mistake (%s)', async (name, url, what) => {
    const { output, code } = await run({ [name]: url });
    expect(output).toContain(`Cannot connect to ${what} without TLS`);
    expect(output).toContain('set ALLOW_PLAINTEXT=yes');
    expect(output).not.toContain('hunter2');
    expect(code).toBe(1);
  });

  it('connects to a remote server without TLS if configured', async () => {
    // Not a loopback address, and no server listens on the port.
    const { output } = await run({ ALLOW_PLAINTEXT: 'yes', DATABASE_URL: 'postgres://me@0.0.0.0:1/orders' });
    expect(output).toContain('The database cannot be reached.');
    expect(output).not.toContain('without TLS');
  });

  it('reports an invalid configuration without the secret', async () => {
    const { output, code } = await run({ AUTH_SECRET: 'hunter2' });
    expect(output).toContain('The secret has 7 bytes; HS256 needs 32.');
    expect(output).not.toContain('hunter2');
    expect(code).toBe(1);
  });
});

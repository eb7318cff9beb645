import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Fields } from '../config/fields.js';
import { runChecks, type CheckResult } from './check.js';
import { verification } from './post-checks.js';
import { preChecks } from './pre-checks.js';
import { checkSettings } from './settings.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  vi.unstubAllEnvs();
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Answers the SSLRequest like a PostgreSQL server without TLS. */
const postgres = (answer = 'N'): Promise<number> =>
  listening(createServer((socket) => socket.once('data', () => socket.end(answer)).on('error', () => {})));

async function pre(settings: object, timeoutMs = 5000): Promise<Record<string, CheckResult>> {
  const parsed = checkSettings(new Fields({ pre: settings, timeoutMs }, 'checks'));
  const results = await runChecks(preChecks(parsed), parsed.timeoutMs);
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

async function post(settings: object): Promise<readonly CheckResult[]> {
  const parsed = checkSettings(new Fields({ post: settings }, 'checks'));
  return await runChecks(verification(parsed), parsed.timeoutMs);
}

describe('pre-deployment checks', () => {
  it('pass when the database, the dependencies and the tests pass, and skip what is not configured', async () => {
    const web = await listening(createHttpServer((_request, response) => response.end('fine')));
    const results = await pre({
      database: `postgres://user:secret@127.0.0.1:${await postgres()}/orders`,
      dependencies: [
        { name: 'payments', url: `http://127.0.0.1:${web}/health` },
        { name: 'broker', url: `tcp://127.0.0.1:${web}` },
      ],
      integrationTests: 'exit 0',
    });
    expect(results).toMatchObject({
      'database connectivity': { status: 'passed' },
      'pending migrations': {
        status: 'skipped',
        detail: expect.stringContaining('checks.pre.migrations is not set') as string,
      },
      'external dependency payments': { status: 'passed' },
      'external dependency broker': { status: 'passed' },
      'integration tests': { status: 'passed' },
    });
  });

  it('report each failure with its reason, and no password', async () => {
    const web = await listening(createHttpServer((_request, response) => response.writeHead(503).end()));
    const results = await pre({
      database: 'postgres://user:secret@127.0.0.1:1/orders',
      migrations: `echo '{"pending":[{"key":"042","sql":"DROP TABLE orders"}]}'`,
      dependencies: [{ name: 'payments', url: `http://127.0.0.1:${web}/health` }],
      integrationTests: 'echo 3 tests failed; exit 7',
    });
    expect(Object.values(results).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'failed']);
    expect(results['database connectivity']?.detail).toContain('no connection to 127.0.0.1:1');
    expect(results['pending migrations']?.detail).toBe('not compatible with the running version: 042 drops a table');
    expect(results['external dependency payments']?.detail).toContain('/health returned 503');
    expect(results['integration tests']?.detail).toContain('failed with 7: 3 tests failed');
    expect(JSON.stringify(results)).not.toContain('secret');
  });

  it('send the credentials of a URL as Basic authorization, and never print them', async () => {
    const authorizations: (string | undefined)[] = [];
    const web = await listening(
      createHttpServer(({ headers: { authorization } }, response) => {
        authorizations.push(authorization);
        response.writeHead(authorization === `Basic ${btoa('ops:s3cret%')}` ? 200 : 401).end('{"id":1}');
      }),
    );
    const at = (host: string): string => `http://ops:s3cret%25@${host}`;
    const results = await pre({
      dependencies: [
        { name: 'there', url: at(`127.0.0.1:${web}`) },
        { name: 'not there', url: at('127.0.0.1:1/health?key=s3cret') },
        { name: 'broker', url: 'amqp://guest:s3cret@127.0.0.1:5672/shop' },
        { name: 'nameless', url: 'http://ops:s3cret@' },
      ],
    });
    expect(results).toMatchObject({
      'external dependency there': { status: 'passed' },
      'external dependency not there': {
        detail: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 does not answer: /) as string,
      },
      'external dependency broker': {
        detail: 'amqp:// addresses are not supported: use https://…, http://… or tcp://host:port',
      },
      'external dependency nameless': { detail: 'the address is not a valid URL' },
    });
    const smoke = { create: { path: '/orders', body: {} }, read: { path: '/orders/{/id}' } };
    const after = await post({ url: at(`127.0.0.1:${web}`), smoke });
    expect(after.map(({ status }) => status)).toEqual(['passed', 'passed']);
    const away = await post({ url: at('127.0.0.1:1'), smoke });
    expect(away.map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(authorizations).toHaveLength(4);
    expect(JSON.stringify([results, after, away])).not.toContain('s3cret');
  });

  it('read addresses and headers from variables, and never print their values', async () => {
    const authorizations: (string | undefined)[] = [];
    const web = await listening(
      createHttpServer(({ headers: { authorization } }, response) => {
        authorizations.push(authorization);
        response.end('{"id":1}');
      }),
    );
    const smokeWith = (authorization: string): object => ({
      url: '$SMOKE_URL',
      smoke: {
        create: { path: '/orders', body: {}, headers: { authorization } },
        read: { path: '/orders/{/id}', headers: { authorization: 'Basic pa$$word' } },
      },
    });
    vi.stubEnv('SMOKE_URL', `http://127.0.0.1:${web}`);
    vi.stubEnv('SMOKE_TOKEN', 's3cret\n');
    vi.stubEnv('TORN_TOKEN', 's3cret\ns3cret');
    const [, passed] = await post(smokeWith('Bearer $SMOKE_TOKEN'));
    expect(passed?.status).toBe('passed');
    expect(authorizations.slice(1)).toEqual(['Bearer s3cret', 'Basic pa$$word']);
    const [, torn] = await post(smokeWith('Bearer $TORN_TOKEN'));
    expect(torn?.detail).toBe('Invalid character in header content ["authorization"]');
    const [, missing] = await post(smokeWith('Bearer $NO_TOKEN'));
    expect(missing?.detail).toBe('the environment variable NO_TOKEN is not set');
    await expect(post({ smoke: { create: { path: '/', headers: { a: 1 } }, read: { path: '/' } } })).rejects.toThrow(
      'checks.post.smoke.create.headers.a must be a string.',
    );
  });

  it('reject a server that is not PostgreSQL', async () => {
    const results = await pre({ database: `postgres://127.0.0.1:${await postgres('HTTP/1.1 400')}/orders` });
    expect(results['database connectivity']?.detail).toContain('is not PostgreSQL');
  });

  it('stop a hanging check at its timeout', async () => {
    const silent = await listening(createServer((socket) => socket.on('error', () => {})));
    const results = await pre({ database: `postgres://127.0.0.1:${silent}/orders` }, 200);
    expect(results['database connectivity']).toMatchObject({
      status: 'failed',
      detail: 'did not finish within 200 ms',
    });
  });
});

/** `run` as an operator sees it: real processes, signals and environment variables. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { freePorts } from '../../tools/ports/index.mjs';
import { bundledProgram } from '../bundled-program.js';
import { waitFor } from '../deploy/wait-for.js';
import { orderBody } from './orders.js';

const program = await bundledProgram(new URL('run-host.mjs', import.meta.url));

interface Line {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** A process of `run` that collects what it prints. */
class Host {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<number | null>;
  out = '';
  errors = '';

  constructor(variables: Record<string, string> = {}, options: object = {}) {
    const env = { PATH: process.env['PATH'], PORT: '0', DRAIN_NOTICE_MS: '0', ...variables };
    this.child = spawn(process.execPath, [program, JSON.stringify(options)], { env, stdio: 'pipe' });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    this.ended = once(this.child, 'close').then(([code]) => code as number | null);
  }

  async url(): Promise<string> {
    await waitFor(() => this.out.includes('"listening"'), 'the start');
    return linesOf(this.out).find(({ message }) => message === 'listening')!['url'] as string;
  }

  async order(productId: string): Promise<Response> {
    const body = orderBody({ lineItems: [{ productId, quantity: 1, unitPrice: '1.50' }] });
    const headers = { 'content-type': 'application/json' };
    return await fetch(`${await this.url()}/orders`, { method: 'POST', headers, body: JSON.stringify(body) });
  }
}

const hosts: Host[] = [];
const start = (variables?: Record<string, string>, options?: object): Host => {
  const host = new Host(variables, options);
  hosts.push(host);
  return host;
};
afterEach(async () => {
  for (const { child, ended } of hosts.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});

function linesOf(text: string): Line[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as Line);
}

describe('run', () => {
  it('names the database that is unavailable at the start, and the cause, without the user and the password', async () => {
    const host = start({}, { database: 'postgres://someone:hunter2@127.0.0.1:1/orders' });
    expect(await host.ended).toBe(1);
    expect(linesOf(host.errors).map(({ message }) => message)).toContainEqual(
      'The service did not start. SVC_STORAGE_UNAVAILABLE The database cannot be reached. Nothing was committed. Retry later. Database: 127.0.0.1:1. Cause: connect ECONNREFUSED 127.0.0.1:1.',
    );
    expect(host.errors).not.toMatch(/hunter2|someone/);
  });

  it('logs that everyone may call a service without authentication, if it listens on another address than loopback', async () => {
    // Node resolves it to 127.0.0.1, so that no other machine can reach the test.
    const open = start({}, { host: '127.1' });
    const other = start();
    const warning = {
      level: 'info',
      message:
        'Callers do not authenticate: everyone who can reach this address may run all commands and read all models.',
      url: await open.url(),
    };
    await waitFor(() => open.out.includes(warning.message), 'the warning');
    expect(linesOf(open.out)[1]).toMatchObject(warning);
    await other.url();
    expect(other.out).not.toContain('authenticate');
  });

  it('logs the start, failed requests without secrets, and the stop; SIGTERM waits for running requests', async () => {
    const host = start();
    const url = await host.url();
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await host.order('broken')).status).toBe(500);
    expect((await fetch(`${url}/nowhere`)).status).toBe(404);
    const slow = host.order('slow');
    await expect.poll(() => host.out).toContain('waiting');
    host.child.kill('SIGTERM');
    await expect.poll(() => host.out).toContain('stopping');
    host.child.stdin.end('\n');
    expect((await slow).status).toBe(200);
    expect(await host.ended).toBe(0);
    expect(linesOf(host.out).map(({ message }) => message)).toEqual(['listening', 'stopping', 'stopped']);
    const failures = linesOf(host.errors);
    expect(failures).toMatchObject([{ level: 'error', message: 'request failed', err: { name: 'Error' } }]);
    expect(host.errors).toContain('The warehouse burned down.');
    expect(host.errors).not.toContain('hunter2');
  });

  it('logs failures in the background with their part, and without secrets', async () => {
    const host = start({}, { hook: true });
    expect((await host.order('tea')).status).toBe(200);
    await expect
      .poll(() => linesOf(host.errors), { timeout: 30_000 })
      .toContainEqual(
        expect.objectContaining({
          level: 'error',
          message: 'failed in the background',
          part: 'tag-hooks',
          err: expect.objectContaining({ message: 'The siren is broken. token=***' }) as object,
        }),
      );
    expect(host.errors).not.toContain('hunter2');
  });

  it('leaves the lines about start and stop to svc dev', async () => {
    const [port] = await freePorts(1);
    const host = start({ SVC_DEV: '1', PORT: String(port) });
    const isUp = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/health/live`)).ok;
    await expect.poll(() => isUp().catch(() => false), { timeout: 30_000 }).toBe(true);
    host.child.kill('SIGTERM');
    expect([await host.ended, host.out]).toEqual([0, '']);
  });

  it('stops on SIGINT without the notice', async () => {
    const host = start({ DRAIN_NOTICE_MS: '60000' });
    await host.url();
    host.child.kill('SIGINT');
    expect(await host.ended).toBe(0);
  });

  it('uses HOST and PORT, and options instead of them', async () => {
    const [port, other] = await freePorts(2);
    const fromVariables = start({ HOST: '127.0.0.2', PORT: String(port) });
    const fromOptions = start({ HOST: '127.0.0.2', PORT: String(port) }, { host: '127.0.0.1', port: other });
    expect(await fromVariables.url()).toBe(`http://127.0.0.2:${port}`);
    expect(await fromOptions.url()).toBe(`http://127.0.0.1:${other}`);
  });

  it('says in one line why it did not start, and exits with 1', async () => {
    const first = start();
    const used = new URL(await first.url()).port;
    const [closed] = await freePorts(1);
    const failing: [Host, string][] = [
      [start({ PORT: 'http' }), 'SVC_INVALID_SETTING PORT must be a whole number from 0 to 65535, not "http".'],
      [start({ PORT: '65536' }), 'not "65536"'],
      [start({ DRAIN_NOTICE_MS: 'soon' }), 'SVC_INVALID_SETTING DRAIN_NOTICE_MS must be a number of milliseconds'],
      [start({ PORT: used }), `Cannot listen on 127.0.0.1:${used}: the port is in use.`],
      [start({ HOST: '192.0.2.1' }), 'this machine has no such address'],
      [start({}, { database: `postgres://svc:hunter2@127.0.0.1:${closed}/svc` }), 'SVC_STORAGE_UNAVAILABLE'],
    ];
    for (const [host, reason] of failing) {
      expect([await host.ended, linesOf(host.errors)]).toMatchObject([
        1,
        [{ level: 'error', message: expect.stringContaining(reason) as string }],
      ]);
      expect(host.errors).not.toMatch(/\n\s+at |hunter2/);
    }
  });

  it('logs the stack of an unknown failure', async () => {
    const host = start({}, { prefix: 'api/' });
    expect(await host.ended).toBe(1);
    expect(linesOf(host.errors)).toMatchObject([
      {
        message: 'The service did not start.',
        err: { name: 'RangeError', stack: expect.stringContaining('prefix must be') as string },
      },
    ]);
  });
});

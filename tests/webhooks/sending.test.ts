/** Webhooks from the stored event to a receiver that verifies them by its own computation. */
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { run } from '@svc/cli';
import { createService, HealthStatus, InMemoryStorage, newId, type ReactionFailed, type Service } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { wrap } from '@svc/core/testing';
import { webhook } from '@svc/http';
import { sqlite } from '@svc/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { append, reactionOf, shopWith, systemEvents } from '../reactions/reaction-shop.js';
import { OrderPaid, OrderPlaced, shopRegistry } from '../system-events/shop.js';
import { receiver, type Answer, type Receiver } from './receiver.js';

type Options = Partial<Parameters<typeof webhook>[0]>;

const key = Buffer.alloc(32, 7);
const oldKey = Buffer.alloc(24, 9);
const secretOf = (bytes: Buffer): string => `whsec_${bytes.toString('base64')}`;
const fast = { attempts: 5, firstDelayMs: 1, longestDelayMs: 5_000 };

/** What services have reported. */
const reports: unknown[] = [];

async function started(url: string, options: Options = {}, storage: Storage = new InMemoryStorage()): Promise<Service> {
  const service = createService(shopRegistry())
    .useStorage(storage)
    .addSystemEventAuditing((system) => system.enableAll())
    .addReaction(
      webhook({
        name: 'partner',
        url,
        secret: secretOf(key),
        events: [OrderPlaced],
        tenantId: null,
        from: 'now',
        retry: fast,
        allowPrivateAddresses: true,
        ...options,
      }),
    )
    .reportTo((error) => reports.push(error));
  onTestFinished(() => service.stop());
  service.start();
  await service.ready();
  return service;
}

async function failures(service: Service): Promise<ReactionFailed[]> {
  return (await systemEvents(service, 'svc.ReactionFailed')).map(({ envelope }) => envelope.payload as ReactionFailed);
}

/** Sends an event to a receiver that makes the delivery fail for good, and returns what is recorded. */
async function parked(answer: Answer, options: Options = {}): Promise<{ failure: ReactionFailed; target: Receiver }> {
  const target = await receiver(answer);
  const service = await started(target.url, options);
  await append(service, 'one');
  await expect.poll(() => failures(service), { timeout: 5_000 }).toHaveLength(1);
  return { failure: (await failures(service))[0]!, target };
}

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end();

describe('a webhook', () => {
  it('delivers an event as a signed CloudEvent without scope and metadata', async () => {
    const target = await receiver();
    const service = await started(target.url, { secret: [secretOf(key), secretOf(oldKey)] });
    const stream = newId();
    const envelope = wrap('shop.OrderPlaced', Object.assign(new OrderPlaced(), { note: 'grüße' }));
    await service.eventStore.append(stream, { ...envelope, scope: { userId: 'ann' }, metadata: { host: 'inner' } });
    await service.eventStore.append(stream, wrap('shop.OrderPaid', new OrderPaid()));
    await expect.poll(() => target.arrived).toHaveLength(1);
    await service.idle();
    expect(target.arrived).toHaveLength(1);
    const [{ path, headers, body }] = target.arrived as [(typeof target.arrived)[number]];
    expect(path).toBe('/hook/path-secret');
    expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    expect(JSON.parse(body)).toEqual({
      specversion: '1.0',
      id: envelope.id,
      source: 'shop',
      type: 'shop.OrderPlaced',
      time: envelope.timestamp.toISOString(),
      subject: stream,
      correlationid: envelope.correlationId,
      datacontenttype: 'application/json',
      data: { note: 'grüße' },
    });
    const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(60);
    const signatures = [key, oldKey].map(
      (bytes) =>
        `v1,${createHmac('sha256', bytes)
          .update(`${String(id)}.${String(timestamp)}.${body}`)
          .digest('base64')}`,
    );
    expect(headers['webhook-signature']).toBe(signatures.join(' '));
  });

  it('retries with the same id until the receiver accepts, then delivers the next event of the stream', async () => {
    const answers = [500, 503, 408, 429, 204, 200];
    const target = await receiver((response, count) => void response.writeHead(answers[count - 1]!).end());
    const service = await started(target.url);
    const stream = await append(service, 'first');
    await append(service, 'second', stream);
    await expect.poll(() => target.arrived, { timeout: 5_000 }).toHaveLength(6);
    const notes = target.arrived.map(({ body }) => (JSON.parse(body) as { data: { note: string } }).data.note);
    expect(notes).toEqual(['first', 'first', 'first', 'first', 'first', 'second']);
    expect(new Set(target.arrived.slice(0, 5).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(target.arrived[5]!.headers['webhook-id']).not.toBe(target.arrived[0]!.headers['webhook-id']);
    await service.idle();
    expect(await failures(service)).toEqual([]);
  });

  it.each([400, 401, 404, 410, 422])('parks the stream at once after %i', async (code) => {
    const { failure, target } = await parked(status(code));
    expect(target.arrived).toHaveLength(1);
    expect(failure).toMatchObject({ reactionName: 'partner', errorName: 'SVC_WEBHOOK_REJECTED', attempt: 1 });
    expect(failure.errorMessage).toContain(`answered ${code}.`);
  });

  it('parks the stream after the last attempt', async () => {
    const { failure, target } = await parked(status(500), { retry: { ...fast, attempts: 3 } });
    expect(target.arrived).toHaveLength(3);
    expect(failure).toMatchObject({ errorName: 'SVC_WEBHOOK_FAILED', attempt: 3 });
  });

  it.each([
    ['the seconds of Retry-After', () => '1', 900],
    ['the date of Retry-After', () => new Date(Date.now() + 2_000).toUTCString(), 900],
    ['at most the longest delay', () => '86400', 200],
  ])('waits for %s', async (_title, retryAfter, leastMs) => {
    const times: number[] = [];
    const target = await receiver((response, count) => {
      times.push(performance.now());
      response.writeHead(count === 1 ? 429 : 200, { 'retry-after': retryAfter() }).end();
    });
    const longestDelayMs = leastMs === 200 ? 250 : 5_000;
    await append(await started(target.url, { retry: { ...fast, longestDelayMs } }), 'one');
    await expect.poll(() => times, { timeout: 5_000 }).toHaveLength(2);
    expect(times[1]! - times[0]!).toBeGreaterThan(leastMs);
  });

  it('does not follow redirects', async () => {
    const other = await receiver();
    const { failure } = await parked(status(307, { location: other.url }), { retry: { ...fast, attempts: 2 } });
    expect(other.arrived).toEqual([]);
    expect(failure.errorMessage).toContain('answered 307. Redirects are not followed');
  });

  it('ends an attempt that is not answered in time', async () => {
    const { failure } = await parked(() => {}, { timeoutMs: 50, retry: { ...fast, attempts: 1 } });
    expect(failure.errorMessage).toMatch(/^Cannot deliver a webhook to http:\S+: it did not answer within 50 ms\.$/);
  });

  it.each<[string, number, Answer]>([
    ['is endless', 60_000, (response) => endless(response.writeHead(200))],
    ['never ends', 300, (response) => void response.writeHead(200).write('x')],
  ])('accepts a success whose body %s, and ends its connection', async (_title, timeoutMs, answer) => {
    let isClosed = false;
    const target = await receiver((response) => {
      response.on('close', () => (isClosed = true));
      answer(response, 1);
    });
    const service = await started(target.url, { timeoutMs });
    await append(service, 'one');
    await expect.poll(() => isClosed, { timeout: 5_000 }).toBe(true);
    await service.idle();
    expect(await failures(service)).toEqual([]);
    expect(target.arrived).toHaveLength(1);
  });

  it('retries, parks the stream and delivers those of others if the receiver switches protocols', async () => {
    let attempts = 0;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        attempts++;
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const retry = { attempts: 2, firstDelayMs: 1 };
    const service = await started(url, { timeoutMs: 20_000, concurrency: 1, retry });
    for (const note of ['one', 'two']) await append(service, note);
    await expect.poll(async () => (await failures(service)).length, { timeout: 15_000 }).toBe(2);
    expect(attempts).toBe(4);
    for (const { errorMessage } of await failures(service)) expect(errorMessage).toContain('it answered 101.');
  });

  it('delivers only the events of its tenant, if it has one', async () => {
    const target = await receiver();
    const service = await started(target.url, { tenantId: 'north' });
    for (const tenantId of ['south', 'north']) {
      const envelope = wrap('shop.OrderPlaced', Object.assign(new OrderPlaced(), { note: tenantId }));
      await service.eventStore.append(newId(), { ...envelope, scope: { tenantId } });
    }
    await append(service, 'nobody');
    await service.idle();
    expect(target.arrived.map(({ body }) => (JSON.parse(body) as { data: unknown }).data)).toEqual([{ note: 'north' }]);
  });

  it('shows neither secret nor path in records, reports and svc reactions', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'data.db');
    const target = await receiver(status(410));
    const service = await started(target.url, {}, sqlite({ file }));
    await append(service, 'one');
    await expect.poll(() => failures(service), { timeout: 5_000 }).toHaveLength(1);
    const lines: string[] = [];
    const terminal = { out: (line: string) => void lines.push(line), error: (line: string) => void lines.push(line) };
    const shows = async (): Promise<string> => {
      lines.length = 0;
      await run(['reactions', 'show', 'partner', '--database', file], terminal);
      return lines.join('\n');
    };
    await expect.poll(shows, { timeout: 5_000 }).toContain('1 is parked');
    const shown = [await shows(), JSON.stringify(await failures(service)), inspect(reports)].join('\n');
    expect(shown).toContain('SVC_WEBHOOK_REJECTED');
    for (const secret of [key.toString('base64'), 'whsec_', 'path-secret']) expect(shown).not.toContain(secret);
    const { entries } = await service.health.run(({ name }) => name === 'svc_reactions');
    expect(entries).toMatchObject([{ status: HealthStatus.Degraded }]);
  });

  it.each<[string, Options, string]>([
    ['that has the name of another reaction', { name: 'Other' }, 'SVC_DUPLICATE_REACTION'],
    ['for events that are not registered', { events: [class Unknown {}] }, 'SVC_UNKNOWN_MESSAGE'],
    ['with an invalid name', { name: 'a b' }, 'SVC_INVALID_VALUE'],
  ])('does not start %s', (_title, options, code) => {
    const events = [OrderPlaced];
    const valid = { name: 'partner', url: 'https://example.com/', secret: secretOf(key), events, tenantId: null };
    const other = reactionOf({ name: 'Other' }, () => {});
    const service = shopWith([other], new InMemoryStorage()).addReaction(webhook({ ...valid, ...options }));
    expect(() => service.start()).toThrow(expect.objectContaining({ code }) as Error);
  });

  it('parks the stream if its name resolves to a private address', async () => {
    const target = await receiver();
    const url = `https://localhost:${new URL(target.url).port}/`;
    const service = await started(url, { allowPrivateAddresses: false });
    await append(service, 'one');
    await expect.poll(() => failures(service), { timeout: 5_000 }).toHaveLength(1);
    const [failure] = await failures(service);
    expect(failure).toMatchObject({ errorName: 'SVC_WEBHOOK_ADDRESS_REJECTED', attempt: 1 });
    expect(failure!.errorMessage).toContain('localhost: it is not a public address');
    expect(target.arrived).toEqual([]);
  });
});

function endless(response: Parameters<Answer>[0]): void {
  const chunk = Buffer.alloc(65_536);
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

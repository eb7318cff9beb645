/** The service of docs/guides/webhooks.md, generated and built in a package of its own: it sends its events, and accepts those of a provider. */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { formatDiagnostic, Generator, loadProject } from '@svc/generator';
import { verifyWebhook } from '@svc/http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TemporaryProject } from '../../generator/temporary-project.js';
import { receiver } from '../../webhooks/receiver.js';
import { Guide } from './guide.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { files, blocks } = new Guide('webhooks.md');
const registration = blocks.find(({ text }) => text.startsWith('service.addReaction'))!.text;
const [partnerKey, paymentsKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const secretOf = (key: Buffer): string => `whsec_${key.toString('base64')}`;

const orders = `
import { commandEndpoint, messageOf, type Command, type Event, type Receptor, type ReceptorContext, type Uuid } from '@svc/core';
export class OrderPlaced implements Event { orderId!: Uuid }
export class OrderPaid implements Event { orderId!: Uuid; receipt!: string }
@commandEndpoint<PlaceOrder, void>({ restRoute: '/orders', allowAnonymous: true })
export class PlaceOrder implements Command { orderId!: Uuid }
export class PlaceOrderReceptor implements Receptor<PlaceOrder> {
  receive({ orderId }: PlaceOrder, context: ReceptorContext): void {
    context.append(orderId, messageOf(OrderPlaced, { orderId }));
  }
}
`;
const main = `
import Fastify from 'fastify';
import { createService, InMemoryStorage } from '@svc/core';
import { svc } from '@svc/fastify';
import { registry } from './generated/registry.js';
import { partner } from './partner.js';
const service = createService(registry).useStorage(new InMemoryStorage());
${registration}
const app = Fastify();
await app.register(svc(service));
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
`;

const project = new TemporaryProject(
  {
    ...files,
    // The receiver of the test is on loopback.
    'src/partner.ts': files['src/partner.ts']!.replace("from: 'now',", "from: 'now',\n  allowPrivateAddresses: true,"),
    'src/orders.ts': orders,
    'src/main.ts': main,
  },
  'webhooks-guide-',
);
afterAll(() => project.remove());

beforeAll(async () => {
  project.write('package.json', JSON.stringify({ name: 'shop', type: 'module' }));
  const compilerOptions = { rootDir: 'src', outDir: 'dist', composite: false };
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['src'] };
  project.write('tsconfig.json', JSON.stringify(config));
  const loaded = loadProject(project.directory);
  if ('code' in loaded) throw new Error(loaded.message);
  const { diagnostics } = new Generator(loaded).write();
  if (diagnostics.length > 0) throw new Error(diagnostics.map(formatDiagnostic).join('\n'));
  const tsc = spawn(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project.directory]);
  let printed = '';
  tsc.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  await once(tsc, 'close');
  if (printed !== '') throw new Error(printed);
}, 60_000);

async function started(partnerUrl: string): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    PARTNER_URL: partnerUrl,
    PARTNER_SECRET: secretOf(partnerKey),
    PAYMENTS_SECRET: secretOf(paymentsKey),
  };
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: project.directory,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return url;
}

interface OpenApi {
  readonly components: { readonly schemas: Record<string, object> };
}

const now = (): number => Math.floor(Date.now() / 1_000);
const orderId = '01890000-0000-7000-8000-000000000001';
const paid = JSON.stringify(
  { orderId, payment: { status: 'paid', receipt: 'r1', fee: 3 }, apiVersion: '2026-01-01' },
  null,
  1,
);

function headersOf(body: string, { timestamp = now(), key = paymentsKey } = {}): Record<string, string> {
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}

describe('the service of the guide', () => {
  it('accepts signed payment notices only, and sends its events to the partner', async () => {
    const partner = await receiver();
    const url = await started(partner.url);
    const send = async (path: string, body: string, headers: Record<string, string>): Promise<[number, string]> => {
      const response = await fetch(url + path, { method: 'POST', body, headers });
      return [response.status, await response.text()];
    };
    const notices = '/payments/notices';
    const json = { 'content-type': 'application/json' };
    expect(await send('/orders', JSON.stringify({ orderId }), json)).toEqual([200, 'null']);

    const rejected: [string, Record<string, string>, string][] = [
      [paid, json, 'needs the headers webhook-id'],
      [paid, headersOf(paid, { key: partnerKey }), 'is not valid'],
      [paid, headersOf(paid, { timestamp: now() - 400 }), 'is too old'],
      // The same JSON in other bytes.
      [JSON.stringify(JSON.parse(paid)), headersOf(paid), 'is not valid'],
    ];
    for (const [body, headers, detail] of rejected) {
      const [status, text] = await send(notices, body, headers);
      expect([status, text]).toEqual([401, expect.stringContaining(detail)]);
    }
    const invalid = JSON.stringify({ orderId, payment: { status: 'unknown', receipt: 'r1' }, more: 1 });
    const [status, text] = await send(notices, invalid, headersOf(invalid));
    expect(status).toBe(400);
    expect((JSON.parse(text) as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer)).toEqual([
      '/payment/status',
    ]);
    const { components } = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
    expect(components.schemas['PaymentNotice']).toMatchObject({
      additionalProperties: true,
      properties: { payment: { additionalProperties: true } },
    });
    expect(components.schemas['PlaceOrder']).toMatchObject({ additionalProperties: false });
    const [strict, problem] = await send('/orders', JSON.stringify({ orderId, more: 1 }), json);
    expect([strict, problem]).toEqual([400, expect.stringContaining('is not a known property')]);

    expect(await send(notices, paid, headersOf(paid))).toEqual([200, 'null']);
    expect(await send(notices, paid, headersOf(paid))).toEqual([200, 'null']);
    await expect.poll(() => partner.arrived.length, { timeout: 5_000 }).toBe(2);
    const events = partner.arrived.map(({ headers, body }) => {
      verifyWebhook(secretOf(partnerKey), headers, Buffer.from(body));
      return JSON.parse(body) as { type: string; data: object };
    });
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      [expect.stringMatching(/OrderPlaced$/), { orderId }],
      [expect.stringMatching(/OrderPaid$/), { orderId, receipt: 'r1' }],
    ]);
  }, 30_000);
});

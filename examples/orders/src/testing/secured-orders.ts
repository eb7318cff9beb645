/** The service with authentication, and callers with real tokens, for tests. */
import { randomBytes } from 'node:crypto';
import { runAsHost, SystemEventStream } from '@svc/core';
import { signToken } from '@svc/fastify';
import { authenticationFrom, developmentName } from '../authentication.js';
import { createHost, type HostSetup, type OrdersHost } from '../host.js';
import { temporaryKeyVault } from '../key-vault.js';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const secret = randomBytes(32).toString('hex');
const keyVault = temporaryKeyVault();

/** A token as an identity provider would issue it. */
export function tokenFor(sub: string, claims: Record<string, unknown> = {}): Promise<string> {
  return signToken(
    { user: sub, claims: { tenant_id: 'acme', ...claims } },
    { secret, issuer: developmentName, audience: developmentName, minutes: 5 },
  );
}

export class SecuredOrders {
  readonly host: OrdersHost;
  readonly #url: string;

  constructor(host: OrdersHost, url: string) {
    this.host = host;
    this.#url = url;
  }

  static async start(environment: Record<string, string> = {}, setup: HostSetup = {}): Promise<SecuredOrders> {
    const notifier = { notify: () => Promise.resolve() };
    const authentication = authenticationFrom({ AUTH_SECRET: secret, ...environment });
    const host = await createHost({ notifier }, { keyVault, ...setup, authentication });
    return new SecuredOrders(host, await host.app.listen({ host: '127.0.0.1', port: 0 }));
  }

  async send(path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
    const response = await fetch(this.#url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    return { status: response.status, body: isStream ? await firstEvent(response) : await response.json() };
  }

  /** The first result of a subscription, which is then closed. */
  async firstResult(path: string, headers: Record<string, string>, body: unknown): Promise<Answer> {
    const response = await fetch(this.#url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(body),
    });
    if (!response.ok) return { status: response.status, body: await response.json() };
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      const [, result] = /^data: (.+)\n\n/m.exec(text) ?? [];
      if (result !== undefined) return { status: response.status, body: JSON.parse(result) as unknown };
    }
    throw new Error('The stream has no result.');
  }

  post(token: string, path: string, body: unknown): Promise<Answer> {
    return this.send(path, { authorization: `Bearer ${token}` }, body);
  }

  get(token: string, path: string): Promise<Answer> {
    return this.send(path, { authorization: `Bearer ${token}` });
  }

  async systemEvents<T extends object>(type: new () => T): Promise<T[]> {
    const { service } = this.host;
    await service.idle();
    const found: T[] = [];
    const events = runAsHost(() => service.eventStore.readStream(SystemEventStream.streamId));
    for await (const { envelope } of events) {
      if (envelope.payload instanceof type) found.push(envelope.payload);
    }
    return found;
  }

  stop(): Promise<void> {
    return this.host.app.close();
  }
}

/** The data of the first event of a live query, which is then left. */
async function firstEvent({ body }: Response): Promise<unknown> {
  let text = '';
  for await (const part of body!.pipeThrough(new TextDecoderStream())) {
    text += part;
    const [, data] = /^data: (.*)\n\n/m.exec(text) ?? [];
    if (data !== undefined) return JSON.parse(data);
  }
  throw new Error(`The live query ended without an event: ${text}`);
}

export const order = {
  customerId: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
  lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
  shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
};

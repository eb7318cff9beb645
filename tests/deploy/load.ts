import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Each of another customer: what is known of one customer is one model, and all callers at once would work on that. */
function order(): string {
  return JSON.stringify({
    customerId: randomUUID(),
    lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
    shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
  });
}

export interface Answer {
  readonly status: number;
  /** Of the instance that answered. */
  readonly version: string;
  readonly body: string;
  /** The last event that a command kept. */
  readonly lastEvent: string;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export function send(
  port: number,
  agent: Agent,
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<Answer> {
  const content = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path, method, agent, headers: { ...content, ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 0, headers: got } = response;
          const header = (name: string): string => String(got[name] ?? '');
          resolve({ status, version: header('x-orders-version'), body: text, lastEvent: header('svc-last-event') });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Which version answers, without asking it for anything. */
export async function answering(
  port: number,
  agent: Agent,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await send(port, agent, '/health/live', { headers });
  return answer.version || `${answer.status} from no instance: ${answer.body}`;
}

/** Callers that do one thing after the other, on connections that they keep, until they are told to stop. */
export class Load {
  /** How many orders each version took. */
  readonly answers = new Map<string, number>();
  readonly failures: string[] = [];
  /** The orders that were answered with 200. */
  readonly orders: string[] = [];
  requests = 0;
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  readonly #callers: Promise<void>[];
  #latest: { orderId: string; lastEvent: string } | undefined;
  #stopped = false;

  /** @param callers who place orders; one more reads them back */
  constructor(port: number, callers = 4) {
    this.#port = port;
    const placing = Array.from({ length: callers }, () => this.#again(() => this.#place()));
    this.#callers = [...placing, this.#again(() => this.#readBack())];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#callers);
    this.#agent.destroy();
  }

  async #again(call: () => Promise<void>): Promise<void> {
    while (!this.#stopped) {
      await call().catch((error: unknown) => this.failures.push(String(error)));
      // Room for the servers, which share this machine with other tests.
      await sleep(100);
    }
  }

  async #place(): Promise<void> {
    const { status, version, body, lastEvent } = await this.#send('/orders', { method: 'POST', body: order() });
    if (status !== 200) return void this.failures.push(`${status} from ${version}`);
    this.answers.set(version, (this.answers.get(version) ?? 0) + 1);
    const { orderId } = JSON.parse(body) as { orderId: string };
    this.orders.push(orderId);
    this.#latest = { orderId, lastEvent };
  }

  /** Asks for what was placed a moment ago, whichever version did it and whichever answers, over REST and over GraphQL. */
  async #readBack(): Promise<void> {
    const latest = this.#latest;
    if (latest === undefined) return;
    const { orderId, lastEvent } = latest;
    const path = `/orders/${orderId}?afterEvent=${lastEvent}`;
    const query = `{ order(id: "${orderId}", afterEvent: "${lastEvent}", waitSeconds: 20) { orderId } }`;
    const answers = [
      await this.#send(path, { headers: { prefer: 'wait=20' } }),
      await this.#send('/graphql', { method: 'POST', body: JSON.stringify({ query }) }),
    ];
    for (const { status, version, body } of answers) {
      if (status === 500) this.failures.push(`500 from ${version}`);
      else if (status !== 200 || !body.includes(`"orderId":"${orderId}"`)) {
        this.failures.push(`${status} from ${version} when read back: ${body}`);
      }
    }
  }

  #send(path: string, sent: Sent): Promise<Answer> {
    this.requests += 1;
    return send(this.#port, this.#agent, path, sent);
  }
}

import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const order = JSON.stringify({
  customerId: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
  lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
  shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
});

export interface Answer {
  readonly status: number;
  readonly version: string;
}

/** Sends one order. */
export function placeOrder(port: number, agent: Agent, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path: '/orders',
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(order), ...headers },
      },
      (response) => {
        response.resume();
        response.on('error', reject);
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, version: String(response.headers['x-orders-version'] ?? '') });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(order);
  });
}

/** Callers that place one order after the other, on connections that they keep, until they are told to stop. */
export class Load {
  readonly answers = new Map<string, number>();
  readonly failures: string[] = [];
  requests = 0;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  readonly #callers: Promise<void>[];
  #stopped = false;

  constructor(port: number, callers = 4) {
    this.#callers = Array.from({ length: callers }, () => this.#call(port));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#callers);
    this.#agent.destroy();
  }

  async #call(port: number): Promise<void> {
    while (!this.#stopped) {
      try {
        const { status, version } = await placeOrder(port, this.#agent);
        if (status === 200) this.answers.set(version, (this.answers.get(version) ?? 0) + 1);
        else this.failures.push(`${status} from ${version}`);
      } catch (error) {
        this.failures.push(String(error));
      }
      this.requests += 1;
      // Room for the servers, which share this machine.
      await sleep(2);
    }
  }
}

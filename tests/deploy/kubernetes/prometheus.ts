import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers queries as Prometheus does, from figures that a test sets. */
export class EmulatedPrometheus {
  readonly queries: string[] = [];
  /** By query: rows of labels and value. Default: an empty answer. */
  answer: (query: string) => readonly { metric: Record<string, string>; value: number }[] = () => [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const query = new URLSearchParams(Buffer.concat(chunks).toString('utf8')).get('query') ?? '';
        this.queries.push(query);
        const result = this.answer(query).map(({ metric, value }) => ({ metric, value: [0, String(value)] }));
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }));
      })();
    });
  }

  static async start(): Promise<EmulatedPrometheus> {
    const prometheus = new EmulatedPrometheus();
    prometheus.#server.listen(0, '127.0.0.1');
    await once(prometheus.#server, 'listening');
    return prometheus;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A real receiver of webhooks on loopback. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Arrived {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (response: ServerResponse, count: number) => void;

export interface Receiver {
  readonly url: string;
  readonly arrived: Arrived[];
}

/** Starts a receiver that answers with `answer`, which gets the number of the request. Closed when the test has ended. */
export async function receiver(answer: Answer = (response) => response.end()): Promise<Receiver> {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      arrived.push({ path: request.url!, headers: request.headers, body });
      answer(response, arrived.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/path-secret`, arrived };
}

import { once } from 'node:events';
import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** How the proxy treats one request. */
export type Fault =
  /** Closes the connection without forwarding the request. */
  | 'cut before'
  /** Forwards the request, and closes the connection instead of responding. */
  | 'cut after'
  /** Forwards the request, and closes the connection in the middle of the response. */
  | 'cut within'
  /** Never responds. */
  | 'hang'
  /** Responds itself. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** A request that arrived at the proxy. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly atMs: number;
  readonly body: string;
}

/** Forwards requests to a service, except those that it is told to fail. */
export class FailingProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();
  #target: string;
  #faults: Fault[] = [];
  #arrived: Arrived[] = [];

  static async start(target: string): Promise<FailingProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FailingProxy(server, target);
  }

  private constructor(server: Server, target: string) {
    this.#server = server;
    this.#target = target;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#handle(request, response));
  }

  /** Fails the next requests, one after another. */
  fail(...faults: Fault[]): void {
    this.#faults = faults;
    this.#arrived = [];
  }

  /** What arrived since the last `fail`. */
  get arrived(): readonly Arrived[] {
    return this.#arrived;
  }

  /** Forwards later requests to another address. */
  retarget(target: string): void {
    this.#target = target;
  }

  /** How many streams of events are open. */
  get openStreams(): number {
    return this.#streams.size;
  }

  /** Closes the connections of all streams of events, in the middle of their responses. */
  cutStreams(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = request.headers as Record<string, string | undefined>;
    const atMs = performance.now();
    const fault = this.#faults.shift();
    const arrived = this.#arrived;
    const body = await buffer(request);
    arrived.push({ method: request.method!, path: request.url!, headers, atMs, body: body.toString() });
    if (fault === 'hang') return;
    if (fault === 'cut before') return void response.destroy();
    if (typeof fault === 'object') return void response.writeHead(fault.status, fault.headers).end(fault.body);
    const forwarded = sendRequest(this.#target + request.url!, { method: request.method!, headers: request.headers });
    forwarded.end(body);
    let answer: IncomingMessage;
    try {
      [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
    } catch {
      return void response.destroy();
    }
    if (answer.headers['content-type']?.startsWith('text/event-stream')) return this.#stream(answer, response);
    const content = await buffer(answer);
    if (fault === 'cut after') return void response.destroy();
    response.writeHead(answer.statusCode!, answer.headers);
    if (fault === 'cut within') response.write(content.subarray(0, 5), () => response.destroy());
    else response.end(content);
  }

  #stream(answer: IncomingMessage, response: ServerResponse): void {
    this.#streams.add(response);
    response.on('close', () => {
      this.#streams.delete(response);
      answer.destroy();
    });
    answer.on('error', () => response.destroy());
    answer.pipe(response.writeHead(answer.statusCode!, answer.headers));
  }
}

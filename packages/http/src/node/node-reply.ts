import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';
import type { NodeRawRequest } from '../client-connection.js';
import type { OpenReply } from '../drain/index.js';
import type { PlainRequest } from '../plain-request.js';

/** A reply on a response of Node. Headers that the host has set on it stay. */
export class NodeReply implements OpenReply {
  readonly raw: ServerResponse;
  readonly request: PlainRequest<NodeRawRequest>;

  /** @param raw of HTTP/1 or HTTP/2: the methods that this class calls are the same. */
  constructor(request: NodeReply['request'], raw: ServerResponse | Http2ServerResponse) {
    this.request = request;
    this.raw = raw as ServerResponse;
  }

  get sent(): boolean {
    return this.raw.headersSent;
  }

  code(status: number): this {
    this.raw.statusCode = status;
    return this;
  }

  hasHeader(name: string): boolean {
    return this.raw.hasHeader(name);
  }

  getHeader(name: string): ReturnType<ServerResponse['getHeader']> {
    return this.raw.getHeader(name);
  }

  header(name: string, value: string | readonly string[]): this {
    this.raw.setHeader(name, value);
    return this;
  }

  removeHeader(name: string): void {
    this.raw.removeHeader(name);
  }

  send(body: string | Uint8Array | Readable): void {
    const { raw } = this;
    if (body instanceof Readable) return this.#stream(body);
    if (raw.headersSent || raw.destroyed) return;
    // Otherwise Node would read the rest of the large body, to use the connection again. HTTP/2 has no such header.
    if (raw.statusCode === 413 && this.request.raw.httpVersionMajor === 1) raw.setHeader('connection', 'close');
    raw.setHeader('content-length', Buffer.byteLength(body));
    raw.end(body);
  }

  #stream(body: Readable): void {
    const { raw } = this;
    if (raw.headersSent || raw.destroyed) return void body.destroy();
    raw.once('close', () => body.destroy());
    body.once('error', () => raw.destroy());
    body.pipe(raw);
  }

  hijack(): void {
    this.raw.destroy();
  }
}

import { Readable } from 'node:stream';
import type { HostReply } from '../host.js';

/** A reply that becomes a `Response`. */
export class FetchReply implements HostReply {
  readonly #headers = new Headers();
  readonly #isHead: boolean;
  /** Resolves once a handler has sent it. */
  readonly response: Promise<Response>;
  #status = 200;
  #respond!: (response: Response) => void;

  constructor(isHead: boolean) {
    this.#isHead = isHead;
    this.response = new Promise((resolve) => (this.#respond = resolve));
  }

  code(status: number): this {
    this.#status = status;
    return this;
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name);
  }

  getHeader(name: string): string | undefined {
    return this.#headers.get(name) ?? undefined;
  }

  header(name: string, value: string | readonly string[]): this {
    this.#headers.delete(name);
    for (const one of typeof value === 'string' ? [value] : value) this.#headers.append(name, one);
    return this;
  }

  removeHeader(name: string): void {
    this.#headers.delete(name);
  }

  send(body: string | Uint8Array | Readable): void {
    const sent = body instanceof Readable ? (Readable.toWeb(body) as ReadableStream) : body;
    this.#respond(new Response(this.#isHead ? null : sent, { status: this.#status, headers: this.#headers }));
  }

  /** The host needs a response, but there is nobody to send it to. */
  hijack(): void {
    this.#respond(new Response(null, { status: 499 }));
  }
}

import type { HostReply } from '../host.js';

/** A reply that becomes a `Response`. */
export class FetchReply implements HostReply {
  readonly #headers = new Headers();
  readonly #isHead: boolean;
  #status = 200;
  #body: string | null = null;

  constructor(isHead: boolean) {
    this.#isHead = isHead;
  }

  get response(): Response {
    return new Response(this.#isHead ? null : this.#body, { status: this.#status, headers: this.#headers });
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

  send(body: string): void {
    this.#body = body;
  }

  /** The host has a response to send, but nobody to send it to. */
  hijack(): void {
    this.#status = 499;
  }
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { forbidSniffing, type HostReply, type HttpRequest } from '@svc/http/hosting';

/** A response that is a file: a text, or texts one after another, which are sent as fast as the client reads. */
export class Download {
  readonly contentType: string;
  readonly fileName: string;
  readonly #body: string | AsyncIterable<string>;

  constructor(contentType: string, fileName: string, body: string | AsyncIterable<string>) {
    this.contentType = contentType;
    this.fileName = fileName;
    this.#body = body;
  }

  /** Sets the headers, and returns the body. The request lasts until a stream has ended. */
  sendTo(reply: HostReply, request: HttpRequest): string | Readable {
    reply
      .header('content-type', this.contentType)
      .header('content-disposition', `attachment; filename="${this.fileName}"`)
      .header('cache-control', 'private, no-store');
    forbidSniffing(reply);
    if (typeof this.#body === 'string') return this.#body;
    const stream = Readable.from(this.#body, { objectMode: false, highWaterMark: 64 * 1024 });
    request.signal.addEventListener('abort', () => stream.destroy(), { once: true });
    stream.once('close', () => request.end());
    request.begin();
    return stream;
  }
}

/** Runs functions in the context in which this was called: that of the caller, and of its database. */
export function currentContext(): <T>(action: () => T) => T {
  return AsyncLocalStorage.snapshot();
}

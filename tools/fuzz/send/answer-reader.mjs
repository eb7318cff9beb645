/** A response that is not valid HTTP/1.1. */
export class MalformedAnswer extends Error {
  name = 'MalformedAnswer';
}

const statusLine = /^HTTP\/1\.1 (\d{3}) [^\r\n]*$/;
const headerLine = /^([!#$%&'*+.^_`|~\w-]+): ?([^\r\n\0]*)$/;

/**
 * Reads the responses of one connection strictly: a wrong length or a broken header is a failure. Node's parser is available only through
 * its client, which does not send malformed requests.
 */
export class AnswerReader {
  #bytes = Buffer.alloc(0);
  #answer = null;
  /** Whether the expected response is that to a HEAD request. */
  isHead = false;

  /** Whether all received bytes are consumed. */
  get isEmpty() {
    return this.#bytes.length === 0 && this.#answer === null;
  }

  /** Adds received bytes and returns a response when it is complete, otherwise null. */
  push(chunk) {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    for (;;) {
      this.#answer ??= this.#readHead();
      if (this.#answer === null) return null;
      const body = this.#readBody(this.#answer);
      if (body === null) return null;
      const answer = { ...this.#answer, body, isEndless: isEventStream(this.#answer) };
      this.#answer = null;
      // Informational responses such as 100 Continue precede the response.
      if (answer.status >= 200) return answer;
    }
  }

  #readHead() {
    const end = this.#bytes.indexOf('\r\n\r\n');
    if (end === -1) return null;
    const [first, ...lines] = this.#bytes.toString('latin1', 0, end).split('\r\n');
    this.#bytes = this.#bytes.subarray(end + 4);
    const status = Number(statusLine.exec(first)?.[1]);
    if (Number.isNaN(status)) throw new MalformedAnswer(`The status line is ${JSON.stringify(first.slice(0, 100))}.`);
    const headers = {};
    for (const line of lines) {
      const [, name, value] = headerLine.exec(line) ?? [];
      if (name === undefined) throw new MalformedAnswer(`A header is ${JSON.stringify(line.slice(0, 100))}.`);
      const key = name.toLowerCase();
      headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
    }
    return { status, headers };
  }

  #readBody({ status, headers }) {
    if (this.isHead || status < 200 || status === 204 || status === 304) return Buffer.alloc(0);
    const isEndless = isEventStream({ headers });
    if (headers['transfer-encoding'] === 'chunked') return this.#readChunks(isEndless);
    // HTTP/1.0 has no chunks.
    if (isEndless) return hasEvent(this.#bytes) ? this.#take(this.#bytes.length) : null;
    const length = Number(headers['content-length'] ?? Number.NaN);
    if (!Number.isSafeInteger(length)) throw new MalformedAnswer(`The length is ${headers['content-length']}.`);
    return this.#bytes.length < length ? null : this.#take(length);
  }

  /** `isEndless`: the first event is enough. */
  #readChunks(isEndless) {
    const chunks = [];
    for (let at = 0; ;) {
      if (isEndless && hasEvent(Buffer.concat(chunks))) return Buffer.concat(chunks);
      const lineEnd = this.#bytes.indexOf('\r\n', at);
      if (lineEnd === -1) return null;
      const size = Number.parseInt(this.#bytes.toString('latin1', at, lineEnd), 16);
      if (Number.isNaN(size)) throw new MalformedAnswer('A chunk has no size.');
      const end = lineEnd + 2 + size;
      if (this.#bytes.length < end + 2) return null;
      if (size === 0) {
        this.#take(end + 2);
        return Buffer.concat(chunks);
      }
      chunks.push(this.#bytes.subarray(lineEnd + 2, end));
      at = end + 2;
    }
  }

  #take(length) {
    const bytes = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return bytes;
  }
}

/** A live query answers until its caller leaves. */
function isEventStream({ headers }) {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

function hasEvent(bytes) {
  return /^data: .*\n\n/m.test(bytes.toString('latin1'));
}

import { connect } from 'node:net';
import { AnswerReader } from './answer-reader.mjs';

/**
 * The outcome of a request, in `kind`:
 * - `answered`: there is an `answer`;
 * - `closed`, `late`, `malformed`: there is no answer, for the reason in `detail`;
 * - `dropped`: the service closed the connection with the answer to an earlier request, as it may.
 */

/** One keep-alive connection. Requests sent before earlier ones are answered are pipelined. It reconnects after it was closed. */
export class Connection {
  #port;
  #socket = null;
  #connecting = null;
  /** Requests without a response, in order. */
  #pending = [];
  /** The number of responses since it was connected. */
  #answers = 0;
  /** How often the service closed it between two requests. */
  closedBetween = 0;
  /** A response without a request: the next request fails because of it. */
  #unasked = null;

  constructor(port) {
    this.#port = port;
  }

  /**
   * Sends a request and waits for its response, at most `limitMs`. A service may close a connection between two requests: an unanswered
   * request that is alone on a connection with earlier responses is sent again on a new one.
   */
  async send(wire, limitMs) {
    const outcome = await this.#sendOnce(wire, limitMs);
    if (outcome.kind !== 'closed' || !outcome.wasUsed) return outcome;
    this.closedBetween++;
    return await this.#sendOnce(wire, limitMs);
  }

  async #sendOnce(wire, limitMs) {
    const unasked = this.#unasked;
    this.#unasked = null;
    if (unasked !== null) return { ...unasked, ms: 0 };
    const started = performance.now();
    const socket = await this.#connected().catch(({ code }) => code);
    const outcome = await new Promise((resolve) => {
      // Without a connection there is no response either.
      if (typeof socket === 'string') return resolve({ kind: 'closed', detail: socket });
      const timer = setTimeout(() => this.#fail('late', `no answer in ${limitMs} ms`), limitMs);
      const wasUsed = this.#answers > 0 && this.#pending.length === 0;
      this.#pending.push({ wire, resolve, timer, wasUsed });
      void write(socket, wire);
    });
    return { ...outcome, ms: performance.now() - started };
  }

  close() {
    this.#fail('dropped', 'the connection was closed');
  }

  #connected() {
    if (this.#socket !== null && !this.#socket.destroyed) return this.#connecting;
    this.#answers = 0;
    this.#socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true });
    this.#connecting = this.#established(this.#socket);
    return this.#connecting;
  }

  async #established(socket) {
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    const reader = new AnswerReader();
    const lost = (detail) => this.#socket === socket && this.#fail('closed', detail);
    socket.on('data', (chunk) => this.#received(reader, chunk));
    socket.on('error', ({ code }) => lost(code));
    // The service announces that it closes; everything sent before is read by then.
    socket.on('end', () => lost('closed'));
    socket.on('close', () => lost('closed'));
    return socket;
  }

  #received(reader, bytes) {
    try {
      for (let chunk = bytes; ; chunk = Buffer.alloc(0)) {
        reader.isHead = this.#pending[0]?.wire.isHead ?? false;
        const answer = reader.push(chunk);
        if (answer === null) return;
        if (!this.#answered(answer)) return;
      }
    } catch (error) {
      this.#fail('malformed', error.message);
    }
  }

  /** Assigns a response to the first request, and returns whether the connection stays open. */
  #answered(answer) {
    const first = this.#pending.shift();
    this.#answers++;
    if (first === undefined) {
      this.#unasked = { kind: 'malformed', detail: `An answer came that no request asked for: ${answer.status}.` };
      this.#fail('closed', 'closed');
      return false;
    }
    settle(first, { kind: 'answered', answer });
    const { endsEarly, endsAfter } = first.wire;
    // Node closes connections after requests that it cannot parse, without saying so in its response.
    const isKeptAlive = answer.headers['connection'] === 'keep-alive' && !answer.isEndless;
    const staysOpen = !endsEarly && !endsAfter && isKeptAlive;
    if (!staysOpen) this.close();
    return staysOpen;
  }

  /** Closes the connection. Its pending requests fail. */
  #fail(kind, detail) {
    this.#socket?.destroy();
    this.#socket = null;
    for (const request of this.#pending.splice(0)) settle(request, { kind, detail });
  }
}

function settle({ resolve, timer, wasUsed }, outcome) {
  clearTimeout(timer);
  resolve({ ...outcome, wasUsed });
}

async function write(socket, { parts, endsEarly }) {
  for (const [i, part] of parts.entries()) {
    if (socket.destroyed) return;
    socket.write(part);
    // So that the parts arrive one by one.
    if (i < parts.length - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  if (endsEarly) socket.end();
}

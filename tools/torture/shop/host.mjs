import { spawn } from 'node:child_process';

/** One process of a shop, from its start to its end. */
export class ShopHost {
  #child;
  #waiting = new Map();
  /** Resolves with true when the host serves requests, and with false if it ends before. */
  ready;
  /** Resolves when the host has ended and everything that it wrote is read, with how it ended. */
  ended;
  isReady = false;

  constructor(program, configuration) {
    const child = spawn(process.execPath, [program, JSON.stringify(configuration)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    // It may be killed while it reads.
    child.stdin.on('error', () => {});
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
    this.ended = new Promise((resolve) =>
      child.once('close', (code) => resolve({ code, errors, wasReady: this.isReady })),
    );
    this.ready = new Promise((resolve) => {
      let rest = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        for (const line of lines) {
          const answer = JSON.parse(line);
          if (answer === 'ready') resolve((this.isReady = true));
          else this.#settle(answer.requestId, answer);
        }
      });
      child.once('close', () => {
        this.isReady = false;
        resolve(false);
        for (const requestId of this.#waiting.keys())
          this.#settle(requestId, { error: 'The host has ended.', isRejected: false });
      });
    });
  }

  /** The answer to a request: `{ outcome }`, or `{ error, isRejected }`. If it is rejected, nothing was stored. Otherwise, that is not known. */
  handle(request) {
    return new Promise((resolve) => {
      this.#waiting.set(request.requestId, resolve);
      this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    });
  }

  async kill() {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  async stop() {
    this.#child.stdin.end();
    await this.ended;
  }

  #settle(requestId, answer) {
    this.#waiting.get(requestId)?.(answer);
    this.#waiting.delete(requestId);
  }
}

import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { ShopRequest } from './requests.js';

/** What a request came to: its outcome, or why it is not known. */
export type Answer = { readonly outcome: string } | { readonly error: string };

/** How a host ended. */
export interface HostEnd {
  readonly code: number | null;
  /** What it wrote to standard error. */
  readonly errors: string;
  readonly wasReady: boolean;
}

/** One process of a shop, from its start to its end. */
export class ShopHost {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #waiting = new Map<string, (answer: Answer) => void>();
  /** Resolves with true when the host serves requests, and with false if it ends before. */
  readonly ready: Promise<boolean>;
  /** Resolves when the host has ended and everything that it wrote is read, with how it ended. */
  readonly ended: Promise<HostEnd>;
  isReady = false;

  constructor(program: string, args: readonly string[]) {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    // It may be killed while it reads.
    child.stdin.on('error', () => {});
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    this.ended = new Promise((resolve) =>
      child.once('close', (code) => resolve({ code, errors, wasReady: this.isReady })),
    );
    this.ready = new Promise((resolve) => {
      let rest = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop()!;
        for (const line of lines) {
          const answer = JSON.parse(line) as 'ready' | ({ readonly requestId: string } & Answer);
          if (answer === 'ready') resolve((this.isReady = true));
          else this.#settle(answer.requestId, answer);
        }
      });
      child.once('close', () => {
        this.isReady = false;
        resolve(false);
        for (const requestId of this.#waiting.keys()) this.#settle(requestId, { error: 'The host has ended.' });
      });
    });
  }

  handle(request: ShopRequest): Promise<Answer> {
    return new Promise((resolve) => {
      this.#waiting.set(request.requestId, resolve);
      this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    });
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  async stop(): Promise<void> {
    this.#child.stdin.end();
    await this.ended;
  }

  #settle(requestId: string, answer: Answer): void {
    this.#waiting.get(requestId)?.(answer);
    this.#waiting.delete(requestId);
  }
}

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { HealthEntry, Uuid } from '@svc/core';
import { onTestFinished } from 'vitest';
import { bundledProgram } from '../bundled-program.js';

export interface LoggedEvent {
  readonly streamId: Uuid;
  readonly position: number;
  readonly id: Uuid;
  readonly type: string;
  readonly label?: string;
  readonly ledger?: string;
}

interface Reply {
  readonly number?: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** A host in a process of its own, whose clock is wrong. Ended with the test. */
export class SkewedHost {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #asked = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', ({ number, result, error }: Reply) => {
      const waiting = this.#waiting.get(number ?? -1);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error));
    });
  }

  static async start(database: { readonly kind: string; readonly where: string }, skewMs: number): Promise<SkewedHost> {
    const program = await bundledProgram(new URL('skewed-host.mjs', import.meta.url));
    const child = fork(program, [database.kind, database.where, String(skewMs)]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`The host ended with ${String(code)}.`))),
    ]);
    return new SkewedHost(child);
  }

  /** Appends an event. `reads`: streams that its receptor has read before. */
  record(streamId: Uuid, label: string, ledger = 'all', reads: readonly Uuid[] = []): Promise<void> {
    return this.#ask('record', streamId, ledger, label, reads) as Promise<void>;
  }

  setSkew(ms: number): Promise<void> {
    return this.#ask('setSkew', ms) as Promise<void>;
  }

  stream(id: Uuid): Promise<string[]> {
    return this.#ask('stream', id) as Promise<string[]>;
  }

  ledger(key = 'all'): Promise<string[]> {
    return this.#ask('ledger', key) as Promise<string[]>;
  }

  idle(): Promise<void> {
    return this.#ask('idle') as Promise<void>;
  }

  rebuild(): Promise<void> {
    return this.#ask('rebuild') as Promise<void>;
  }

  health(): Promise<Record<string, HealthEntry>> {
    return this.#ask('health') as Promise<Record<string, HealthEntry>>;
  }

  log(): Promise<LoggedEvent[]> {
    return this.#ask('log') as Promise<LoggedEvent[]>;
  }

  #ask(action: string, ...args: readonly unknown[]): Promise<unknown> {
    const number = this.#asked++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#child.send({ number, action, args });
    });
  }
}

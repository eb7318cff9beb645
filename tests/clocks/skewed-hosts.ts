import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { RebuildMode, type RebuildOptions, type Uuid } from '@svc/core';
import type { HealthEntry } from '@svc/core/hosting';
import { onTestFinished } from 'vitest';
import { bundledProgram } from '../bundled-program.js';

export interface LoggedEvent {
  readonly sequence: number;
  readonly streamId: Uuid;
  readonly position: number;
  readonly id: Uuid;
  readonly type: string;
  /** Whether it comes from another database. */
  readonly isReceived: boolean;
  readonly label?: string;
  readonly ledger?: string;
  readonly seen?: readonly string[];
  /** Of the record of a rewind: the event that caused it. */
  readonly triggeringEventId?: Uuid;
  /** Of the record of a dead letter. */
  readonly cause?: string;
}

/** Where a host has its events, and the broker that it shares with hosts on other databases. */
export interface HostDatabase {
  readonly kind: string;
  readonly where: string;
  readonly broker?: {
    readonly url: string;
    readonly prefix: string;
    readonly hostName: string;
    readonly hostNames: readonly string[];
    /** How far the clocks of other hosts may be ahead. */
    readonly aheadMs: number;
  };
}

export type PerspectiveName = 'Streams' | 'Ledgers';

/** An event that a caller knows of. */
export interface KnownEvent {
  readonly id: Uuid;
  readonly label: string;
}

/** An event to append. */
export interface Recording {
  readonly streamId: Uuid;
  readonly ledger: string;
  readonly label: string;
  /** Streams that its receptor reads before. */
  readonly reads?: readonly Uuid[];
  /** Models that its sender reads before. */
  readonly models?: readonly (readonly [PerspectiveName, string])[];
  /** An event that its sender waits for before. */
  readonly after?: KnownEvent | null;
}

/** The id of the event, and the models that were read before it. */
export interface RecordingResult {
  readonly id: Uuid;
  readonly models: readonly (readonly string[])[];
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
  #count = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', ({ number, result, error }: Reply) => {
      const waiting = this.#waiting.get(number ?? -1);
      this.#waiting.delete(number ?? -1);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error));
    });
    child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The host has ended.'));
    });
  }

  static async start(database: HostDatabase, skewMs: number): Promise<SkewedHost> {
    const program = await bundledProgram(new URL('skewed-host.mjs', import.meta.url));
    const child = fork(program, [JSON.stringify(database), String(skewMs)]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`The host ended with ${String(code)}.`))),
    ]);
    return new SkewedHost(child);
  }

  async kill(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  /** Appends an event. `reads`: streams that its receptor has read before. */
  async record(streamId: Uuid, label: string, ledger = 'all', reads: readonly Uuid[] = []): Promise<void> {
    await this.recordAfter({ streamId, ledger, label, reads });
  }

  recordAfter(recording: Recording): Promise<RecordingResult> {
    return this.#ask('record', recording) as Promise<RecordingResult>;
  }

  setSkew(ms: number): Promise<void> {
    return this.#ask('setSkew', ms) as Promise<void>;
  }

  /** From now on nothing that it commits reaches hosts on other databases. */
  cut(): Promise<void> {
    return this.#ask('cut') as Promise<void>;
  }

  connect(): Promise<void> {
    return this.#ask('connect') as Promise<void>;
  }

  stream(id: Uuid): Promise<string[]> {
    return this.labels('Streams', id);
  }

  ledger(key = 'all'): Promise<string[]> {
    return this.labels('Ledgers', key);
  }

  labels(perspective: PerspectiveName, key: string): Promise<string[]> {
    return this.#ask('labels', perspective, key) as Promise<string[]>;
  }

  /** The same without the host taking note of it. */
  storedLabels(perspective: PerspectiveName, key: string): Promise<string[]> {
    return this.#ask('storedLabels', perspective, key) as Promise<string[]>;
  }

  idle(): Promise<void> {
    return this.#ask('idle') as Promise<void>;
  }

  rebuild(options: RebuildOptions = { mode: RebuildMode.InPlace }): Promise<void> {
    return this.#ask('rebuild', options) as Promise<void>;
  }

  health(): Promise<Record<string, HealthEntry>> {
    return this.#ask('health') as Promise<Record<string, HealthEntry>>;
  }

  log(afterSequence = -1): Promise<LoggedEvent[]> {
    return this.#ask('log', afterSequence) as Promise<LoggedEvent[]>;
  }

  #ask(action: string, ...args: readonly unknown[]): Promise<unknown> {
    const number = this.#count++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#child.send({ number, action, args });
    });
  }
}

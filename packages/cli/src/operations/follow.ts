import { setTimeout as sleep } from 'node:timers/promises';
import { type Uuid } from '@svc/core';
import { type OperationProgress } from '@svc/core/hosting';
import { OperationState, StorageUnavailableError, type OperationRecord } from '@svc/core/storage';
import type { ChosenDatabase } from '../database/choose-database.js';
import { Rejection } from '../failures.js';
import { ExitCode, type Terminal } from '../terminal.js';
import { ProgressMeter } from './progress-meter.js';

const pollMs = 200;
/** How often a line is printed when the output is not a terminal. */
const lineMs = 2_000;

export interface FollowOptions {
  readonly database: ChosenDatabase;
  readonly terminal: Terminal;
  /** Print no progress. */
  readonly quiet: boolean;
  /** How long the operation may have no host, or the database be unreachable, before `follow` gives up. */
  readonly waitMs: number;
  /** Cancels the operation. `follow` still waits until it has ended. */
  readonly signal: AbortSignal;
  /** Return as soon as a host has accepted the operation. */
  readonly detach: boolean;
}

/** Shows the progress of an operation until it has ended, and returns its record. */
export async function follow(id: Uuid, options: FollowOptions): Promise<OperationRecord> {
  const { waitMs, signal, detach } = options;
  const { operations } = options.database.storage;
  const view = new View(options);
  let isCancelled = false;
  /** Since when the operation has had no host or the database has been unreachable. */
  let silentSince: number | null = null;
  for (;;) {
    let operation: OperationRecord | null = null;
    try {
      operation = await operations.find(id);
      if (operation === null) throw new Rejection(`Request ${id} no longer exists.`);
      if (hasEnded(operation) || (detach && operation.startedAt !== null)) return operation;
      if (signal.aborted && !isCancelled) {
        view.print('Cancelling. Interrupt again to exit without waiting.');
        await operations.cancel(id);
        isCancelled = true;
        continue;
      }
      view.show(operation);
    } catch (error) {
      // The database may become reachable again.
      if (!(error instanceof StorageUnavailableError) || !isRecent(silentSince, waitMs)) throw error;
    }
    const isSilent = operation === null || (operation.startedAt !== null && !operation.isHeld);
    silentSince = isSilent ? (silentSince ?? Date.now()) : null;
    if (operation !== null && !isRecent(silentSince, waitMs)) throw hostLost(id);
    await sleep(pollMs, undefined, isCancelled ? {} : { signal }).catch(() => {});
  }
}

export function hasEnded({ state, finishedAt }: OperationRecord): boolean {
  return finishedAt !== null || state === OperationState.Expired;
}

function isRecent(since: number | null, ms: number): boolean {
  return since === null || Date.now() - since < ms;
}

function hostLost(id: Uuid): Rejection {
  return new Rejection(
    `The host that ran ${id} stopped, and no other host has resumed it. The next host that starts resumes it; to withdraw it, run svc perspectives cancel ${id}.`,
    ExitCode.unreachable,
  );
}

/** Prints progress: one changing line in a terminal, a line every few seconds elsewhere. */
class View {
  readonly #options: FollowOptions;
  readonly #meter = new ProgressMeter();
  #lastText = '';
  #lastLine = { at: 0, text: '' };

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  print(text: string): void {
    if (this.#options.quiet || text === this.#lastText) return;
    this.#lastText = text;
    this.#options.terminal.out(text);
  }

  show({ startedAt, isHeld, state, progress }: OperationRecord): void {
    if (startedAt === null) this.print('Waiting for a host to accept the request.');
    else if (!isHeld) this.print('Its host stopped. Waiting for another host to resume it.');
    else if (state !== OperationState.Cancelling) {
      this.print('A host has accepted the request.');
      if (progress !== null) this.#progress(progress as OperationProgress);
    }
  }

  #progress(progress: OperationProgress): void {
    const { terminal, quiet } = this.#options;
    if (quiet) return;
    const now = Date.now();
    const text = this.#meter.line(progress, now);
    if (terminal.live !== undefined) return terminal.live(text);
    if (text === this.#lastLine.text || now - this.#lastLine.at < lineMs) return;
    this.#lastLine = { at: now, text };
    terminal.out(text);
  }
}

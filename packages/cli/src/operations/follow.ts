import { setTimeout as sleep } from 'node:timers/promises';
import { type Uuid } from '@svc/core';
import { type OperationProgress } from '@svc/core/hosting';
import { OperationState, StorageUnavailableError, type OperationRecord } from '@svc/core/storage';
import type { ChosenDatabase } from '../database/choose-database.js';
import { Refusal } from '../database/failures.js';
import { ExitCode, type Terminal } from '../terminal.js';
import { ProgressMeter } from './progress-meter.js';

const lookMs = 200;
/** How often a line is printed where nobody watches. */
const lineMs = 2_000;

export interface Following {
  readonly database: ChosenDatabase;
  readonly terminal: Terminal;
  /** Print nothing but the end. */
  readonly quiet: boolean;
  /** How long nobody may run it, or the database be away, before that is the end of it. */
  readonly waitMs: number;
  /** Cancels it. It is followed to its end all the same. */
  readonly signal: AbortSignal;
  /** Ends as soon as a host has taken it. */
  readonly detach: boolean;
}

/** Shows how an operation goes until it has ended, and answers with how it did. */
export async function follow(id: Uuid, following: Following): Promise<OperationRecord> {
  const { waitMs, signal, detach } = following;
  const { operations } = following.database.storage;
  const view = new View(following);
  let isCancelled = false;
  /** Since when there has been no word of it. */
  let silentSince: number | null = null;
  for (;;) {
    let operation: OperationRecord | null = null;
    try {
      operation = await operations.find(id);
      if (operation === null) throw new Refusal(`The request ${id} is gone.`);
      if (hasEnded(operation) || (detach && operation.startedAt !== null)) return operation;
      if (signal.aborted && !isCancelled) {
        view.say('Cancelling. Interrupt once more to leave without waiting for its end.');
        await operations.cancel(id);
        isCancelled = true;
        continue;
      }
      view.show(operation);
    } catch (error) {
      // The database may be back in a moment.
      if (!(error instanceof StorageUnavailableError) || !isRecent(silentSince, waitMs)) throw error;
    }
    const isSilent = operation === null || (operation.startedAt !== null && !operation.isHeld);
    silentSince = isSilent ? (silentSince ?? Date.now()) : null;
    if (operation !== null && !isRecent(silentSince, waitMs)) throw lost(id);
    await sleep(lookMs, undefined, isCancelled ? {} : { signal }).catch(() => {});
  }
}

export function hasEnded({ state, finishedAt }: OperationRecord): boolean {
  return finishedAt !== null || state === OperationState.Expired;
}

function isRecent(since: number | null, ms: number): boolean {
  return since === null || Date.now() - since < ms;
}

function lost(id: Uuid): Refusal {
  return new Refusal(
    `The host that ran ${id} is gone, and no other has gone on with it. The next one that starts does; svc perspectives cancel ${id} withdraws it.`,
    ExitCode.unreachable,
  );
}

/** What is seen of it: one line that changes where somebody watches, some lines otherwise. */
class View {
  readonly #following: Following;
  readonly #meter = new ProgressMeter();
  #said = '';
  #line = { at: 0, text: '' };

  constructor(following: Following) {
    this.#following = following;
  }

  say(text: string): void {
    if (this.#following.quiet || text === this.#said) return;
    this.#said = text;
    this.#following.terminal.out(text);
  }

  show({ startedAt, isHeld, state, progress }: OperationRecord): void {
    if (startedAt === null) this.say('Waiting for a host to take it.');
    else if (!isHeld) this.say('Its host is gone. Waiting for another to go on with it.');
    else if (state !== OperationState.Cancelling) {
      this.say('A host has taken it.');
      if (progress !== null) this.#progress(progress as OperationProgress);
    }
  }

  #progress(progress: OperationProgress): void {
    const { terminal, quiet } = this.#following;
    if (quiet) return;
    const now = Date.now();
    const text = this.#meter.line(progress, now);
    if (terminal.live !== undefined) return terminal.live(text);
    if (text === this.#line.text || now - this.#line.at < lineMs) return;
    this.#line = { at: now, text };
    terminal.out(text);
  }
}

import { BackgroundWorker } from '../background/index.js';
import type { StorageSeals } from '../storage/index.js';
import { Anchoring, type AnchorStanding } from './anchoring.js';
import type { CheckedSealOptions } from './checked-options.js';
import type { Checkpoint } from './checkpoint.js';
import { eventsPerSeal } from './digest-next.js';
import { EventDigester, type DigesterParts } from './event-digester.js';
import { SealPause } from './seal-pause.js';
import { Sealer, sealingLane, type SealedBatch, type SealerParts } from './sealer.js';

/** How often a host that does not seal asks whether it should. */
const pollMs = 1_000;

/** How the seals of a database are doing, for health checks. */
export interface SealsStanding {
  /** Whether this host seals. */
  readonly isHolder: boolean;
  /** The last checkpoint that this host has stored or read; null: unknown. */
  readonly last: Pick<Checkpoint, 'number' | 'size' | 'time'> | null;
  /** Why the last attempt failed; null: it did not fail. */
  readonly failure: string | null;
  readonly anchors: readonly AnchorStanding[];
}

export interface SealingParts extends Omit<SealerParts, 'keys' | 'oldKeyIsLost' | 'digester'>, DigesterParts {
  readonly seals: StorageSeals;
  /** Called when a `LogSealed` waits in the outbox. */
  readonly queued: () => void;
  /** Called for each checkpoint that was stored. */
  readonly sealed: (batch: SealedBatch) => void;
  /** Called for each attempt of an anchor that failed. */
  readonly anchorFailed: (anchor: string) => void;
}

/** Seals the events of a database in the background, for as long as this host holds the lease, and sends checkpoints to the anchors. */
export class SealingWorker {
  readonly #parts: SealingParts;
  readonly #everyMs: number;
  readonly #digester: EventDigester;
  readonly #sealer: Sealer;
  readonly #anchorings: readonly Anchoring[];
  readonly #worker: BackgroundWorker;
  readonly #pause: SealPause;
  #timer: NodeJS.Timeout | undefined;
  #isHolder = false;
  #failure: string | null = null;
  #isStopped = false;

  constructor({ keys, anchors, everyMs, oldKeyIsLost }: CheckedSealOptions, parts: SealingParts) {
    this.#parts = parts;
    this.#everyMs = everyMs;
    this.#pause = new SealPause(everyMs);
    this.#digester = new EventDigester(parts);
    this.#sealer = new Sealer({ ...parts, digester: this.#digester, keys, oldKeyIsLost });
    this.#anchorings = anchors.map((anchor) => new Anchoring(parts.seals, anchor, parts));
    this.#worker = new BackgroundWorker(
      () => this.#step(),
      (error) => this.#failed(error),
    );
  }

  start(): void {
    this.#worker.wake();
  }

  /** Events were appended: seals them after the usual time. */
  committed(): void {
    if (this.#isHolder && this.#timer === undefined && !this.#worker.isBusy) this.#in(this.#everyMs / 2);
  }

  get standing(): SealsStanding {
    return {
      isHolder: this.#isHolder,
      last: this.#sealer.last,
      failure: this.#failure,
      anchors: this.#anchorings.map(({ standing }) => standing),
    };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#worker.stop();
    await this.#digester.close();
    await Promise.all(this.#anchorings.map((anchoring) => anchoring.stop()));
    if (this.#isHolder) await this.#parts.leases.release(sealingLane).catch(this.#parts.report);
  }

  async #step(): Promise<boolean> {
    const sealed = await this.#sealer.seal();
    this.#failure = null;
    const wasHolder = this.#isHolder;
    this.#isHolder = sealed !== null;
    if (sealed === null) {
      for (const anchoring of this.#anchorings) anchoring.forget();
      this.#in(pollMs);
      return false;
    }
    const { events } = sealed;
    if (events > 0) {
      this.#parts.sealed(sealed);
      this.#parts.queued();
    }
    if (events > 0 || !wasHolder) for (const anchoring of this.#anchorings) anchoring.wake();
    const pause = this.#pause.after(events);
    if (events === eventsPerSeal) return true;
    this.#in(pause);
    return false;
  }

  #in(ms: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#worker.wake();
    }, ms).unref();
  }

  #failed(error: unknown): void {
    if (this.#isStopped) return;
    // One report for each outage: the health check shows that it lasts.
    if (this.#failure === null) this.#parts.report(error);
    this.#failure = error instanceof Error ? error.message : String(error);
  }
}

import type { CommitRecord } from '../../storage/index.js';

/** What commits have added, for which a worker is woken. */
export interface CommittedWork {
  systemEvents: boolean;
  messages: boolean;
  events: boolean;
}

/** What of a committed record decides who is woken: only whether there are some matters. */
export type Committed = Pick<CommitRecord, 'systemAtOnce'> & {
  readonly events: readonly unknown[];
  readonly outgoing: readonly unknown[];
};

/** Wakes workers once for all records of a batch, before their callers continue. */
export class WakingCommits {
  readonly #wake: (work: CommittedWork) => void;
  /** Null: no worker is about to be woken. */
  #work: CommittedWork | null = null;

  constructor(wake: (work: CommittedWork) => void) {
    this.#wake = wake;
  }

  committed({ events, outgoing, systemAtOnce = false }: Committed): void {
    const work = (this.#work ??= this.#wakeSoon());
    if (outgoing.length > 0) work.messages = true;
    if (outgoing.length > 0 && !systemAtOnce) work.systemEvents = true;
    if (events.length > 0 || systemAtOnce) work.events = true;
  }

  #wakeSoon(): CommittedWork {
    const work = { systemEvents: false, messages: false, events: false };
    queueMicrotask(() => {
      this.#work = null;
      this.#wake(work);
    });
    return work;
  }
}
